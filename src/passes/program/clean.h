/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Dead assignments, needless locations and unused locals go; see clean.c. */
void program_clean(Program *);
