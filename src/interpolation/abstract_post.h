/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the predicates of a proof, called assertions here, and computes abstract posts of steps over sets of predicates, called masks.

   A step is a guard and a parallel assignment, such as a block step with the constants of a control state put in. A step without assignment
   is a formula to exclude, for instance that two block steps do not commute. Two steps with the same guard and assignment are one step, so
   an answer for one is known for both. */
#pragma once
#include "base/stats.h"
#include "interpolation/predicate_set.h"
#include "smt/smt.h"
#include "system/system.h"

enum { NEVER = ~0u };

typedef struct AbstractPost AbstractPost;
AbstractPost *post_new(const System *, Smt *, Stats *);
void post_free(AbstractPost *);

/* Returns the number of an assertion, new or not. NONE if there are MAX_PREDICATES already. The formula must not be a constant. */
unsigned post_add_predicate(AbstractPost *, const Expr *);
size_t post_predicate_count(const AbstractPost *);
const Expr *post_predicate(const AbstractPost *, unsigned);
const unsigned *post_variables(const AbstractPost *, unsigned assertion); /* a vec: the variables that the assertion mentions */
/* post_tracks returns whether some assertion mentions the variable. post_tracked returns the number of such variables. */
bool post_tracks(const AbstractPost *, unsigned variable);
unsigned post_tracked(const AbstractPost *);

/* Masks are sets of assertions with numbers of their own. 0 is the empty mask. */
unsigned post_intern_set(AbstractPost *, const PredicateSet *);
const PredicateSet *post_predicate_set(const AbstractPost *, unsigned mask);

/* Returns the number of a step, new or not. */
unsigned post_add_step(AbstractPost *, const Expr *guard, const Update *updates /* a vec */);
/* Returns the mask of the assertions among `these` that hold after the step, if the assertions of `mask` hold before. NEVER if the mask
   excludes the step. An assertion that the solver cannot prove in time counts as not holding. */
unsigned post_after(AbstractPost *, unsigned step, unsigned mask, const PredicateSet *these);
/* True if the mask excludes the step. Answers are remembered. */
bool post_excludes(AbstractPost *, unsigned step, unsigned mask);
/* Returns the guard, updates and inputs of a step. */
const Transition *post_transition(const AbstractPost *, unsigned step);
/* Returns the assertions that mention a variable that the step writes. The next assertion or step makes the pointer invalid. */
const PredicateSet *post_written(AbstractPost *, unsigned step);
/* Returns a subset of the mask that suffices for the assertion to hold after the step. For NONE, returns a subset that excludes the step.
   The caller must know from post_after that the whole mask suffices. */
PredicateSet post_needs(AbstractPost *, unsigned step, unsigned mask, unsigned assertion);
