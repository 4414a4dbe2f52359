/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variables that may wrap around, and simplifies their arithmetic. A variable may wrap around if its updates still bring values into
   range after simplification by types and guards. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Marks these variables as congruent in the program that the system was made from, and the arrays that are copied to or from marked arrays.
   Returns true if a variable was not marked before: then the caller must build the system anew. */
bool wraps_find(const System *, Program *);

/* Removes remainders, and choices between congruent numbers, where only congruence counts: in values of congruent variables, and below a
   remainder. */
void wraps_loosen(System *, Smt *);
