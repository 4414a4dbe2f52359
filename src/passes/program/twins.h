/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_TWINS_H
#define HEDDLE_PASSES_PROGRAM_TWINS_H
#include "result/translation.h"

/* A second copy of each template marked many, right behind the first; see twins.c. */
void twins(Program *, Translation *);

#endif
