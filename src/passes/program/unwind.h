/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_UNWIND_H
#define HEDDLE_PASSES_PROGRAM_UNWIND_H
#include "ir/program.h"

/* Loops are followed so many times only; see unwind.c. */
void unwind(Program *, unsigned times);

#endif
