/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_FOCUS_H
#define HEDDLE_PASSES_PROGRAM_FOCUS_H
#include "ir/program.h"

/* Keep what matters to one property (a bit of Matters); see focus.c. */
void focus(Program *, Matters property);

#endif
