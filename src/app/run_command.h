/* SPDX-License-Identifier: Apache-2.0 */
/* The command `heddle run`: searches the schedules of the real program, and prints what was found. */
#pragma once
#include "options/options.h"

/* Returns the exit code. start: when the process began. */
int run_command(const Options *, double start);
