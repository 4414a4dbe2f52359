/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Counters of what threads do once; see count_steps.c. */
void count_steps(Program *);
/* Is there anything to count? */
bool count_steps_finds(const Program *);
