/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables wrap around: those whose updates still bring values into range when all that types and guards exclude is gone. */
#ifndef HEDDLE_TRANSFORM_BUILD_WRAPS_H
#define HEDDLE_TRANSFORM_BUILD_WRAPS_H
#include "smt/smt.h"
#include "system/system.h"

/* Adds their places in the program to the vec; true if there are new ones. */
bool wraps_find(const System *, uint64_t **places);
/* Marks the variables in these places as congruent. */
void wraps_mark(Program *, const uint64_t *places);

/* Where only congruence counts (what a congruent variable is set to, of what a remainder is taken), numbers are not brought into range
   before: remainders, and choices between a number and one that is congruent to it, go. */
void wraps_loosen(System *, Smt *);

#endif
