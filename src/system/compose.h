/* SPDX-License-Identifier: Apache-2.0 */
/* Composes transitions: one after the other, or one of two. */
#pragma once
#include "system/system.h"

/* Returns the transition that takes x and then y. The target of x must be the source of y. */
Transition transition_then(const System *, const Transition *x, const Transition *y);
/* True if transition_then keeps all notes for analyses. False if both transitions create, join, lock or unlock. */
bool transition_composes(const Transition *x, const Transition *y);
/* Makes the transition that takes x or y, which have the same source and target. False if one transition cannot express the choice well.
   Where the results differ, the guards must exclude each other. No variable that only gets constants may get different values, since
   rules enumerate the values of these variables. constant: by variable, the result of system_constants. */
bool transition_either(const System *, const bool *constant, const Transition *x, const Transition *y, Transition *out);
/* Numbers the transitions of a thread anew, and lists them by their sources. */
void thread_relink(SystemThread *);
/* Returns a vec by variable, which the caller frees: true if the variable only gets constants, or values of other variables of this
   kind. */
bool *system_constants(const System *);
/* Returns the conjuncts of a formula, as a vec that the caller frees. */
const Expr **conjuncts(const Expr *);
