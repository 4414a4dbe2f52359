/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the form that a program has before a pass changes it in place. */
#pragma once
#include "ir/program.h"

/* Returns a copy of the templates, locations, actions and instructions. Expressions, variables and objects are those of the program, so the
   program must outlive it. Their members may change: indices in particular are those of the changed program. */
Program *program_snapshot(const Program *);
void program_snapshot_free(Program *);
