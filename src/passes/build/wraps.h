/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables wrap around: those whose updates still bring values into range when all that types and guards
   exclude is gone. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Marks them as congruent in the program that the system was made from, with the arrays that they are copied to or
   from; true if there are new ones. The system is that of the program before: it is to be made anew. */
bool wraps_find(const System *, Program *);

/* Where only congruence counts (what a congruent variable is set to, of what a remainder is taken), numbers are not
   brought into range before: remainders, and choices between a number and one that is congruent to it, go. */
void wraps_loosen(System *, Smt *);
