/* SPDX-License-Identifier: Apache-2.0 */
/* Composes transitions: one after the other, or one of two. */
#pragma once
#include "system/system.h"

/* Returns the transition that takes x and then y. The target of x must be the source of y. */
Transition transition_then(const System *, const Transition *x, const Transition *y);
/* True if transition_then keeps all notes for analyses. False if both transitions create, join, lock or unlock. */
bool transition_composes(const Transition *x, const Transition *y);
/* Makes the transition that takes x or y, which have the same source and target. constant: by variable, the result of system_constants.
   Returns false in these cases:
   - the two create, join, lock or unlock different things, or only one of them waits;
   - the results differ, but no conjunct of one guard is the negation of a conjunct of the other;
   - the results differ in more than one element of an array;
   - a variable that only gets constants would get a choice: rules enumerate the values of these variables. */
bool transition_either(const System *, const bool *constant, const Transition *x, const Transition *y, Transition *out);
/* Numbers the transitions of a thread anew, and lists them by their sources. */
void thread_relink(SystemThread *);
/* Returns a vec by variable, which the caller frees: true if the variable only gets constants, or values of other variables of this
   kind. */
bool *system_constants(const System *);
/* Returns the conjuncts of a formula, as a vec that the caller frees. */
const Expr **conjuncts(const Expr *);
