/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions made of transitions: one after the other, or one of two. */
#pragma once
#include "system/system.h"

/* x, then y, which leaves where x leads to. */
Transition transition_then(const System *, const Transition *x, const Transition *y);
/* Can transition_then tell what it is to analyses? Not if both create, join, lock or unlock. */
bool transition_composes(const Transition *x, const Transition *y);
/* x or y, which lead from the same location to the same location: false if that cannot be said well in one transition. Where their
   results differ, their guards must tell which of them it is, and the variable must not be constant (by variable), that is only
   ever set to constants: rules enumerate the values of such. */
bool transition_either(const System *, const bool *constant, const Transition *x, const Transition *y, Transition *out);
/* Numbers and outgoing transitions anew. */
void thread_relink(SystemThread *);
/* By variable (a vec): it is only ever set to constants, or to another such. */
bool *system_constants(const System *);
/* The conjuncts of a formula, as a vec. */
const Expr **conjuncts(const Expr *);
