/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_CLEAN_H
#define HEDDLE_PASSES_PROGRAM_CLEAN_H
#include "ir/program.h"

/* Dead assignments, needless locations and unused locals go; see clean.c. */
void program_clean(Program *);

#endif
