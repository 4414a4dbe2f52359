/* SPDX-License-Identifier: Apache-2.0 */
/* The proof: a growing set of assertions, and what it knows of steps. A step is a guard and a parallel assignment: a letter, perhaps with the
   constants of a vector put in, or, without assignment, a formula that is to be excluded (that two letters do not commute). Steps are the same
   if their guards and assignments are, so what is learned of one is known wherever it is met. */
#pragma once
#include "base/stats.h"
#include "interpolation/predicate_set.h"
#include "smt/smt.h"
#include "system/system.h"

enum { NEVER = ~0u };

typedef struct AbstractPost AbstractPost;
AbstractPost *post_new(const System *, Smt *, Stats *);
void post_free(AbstractPost *);

/* The number of an assertion, new or not; NONE if there are too many. It is neither true nor false. */
unsigned post_assert(AbstractPost *, const Expr *);
size_t post_assertions(const AbstractPost *);
const Expr *post_assertion(const AbstractPost *, unsigned);
const unsigned *post_variables(const AbstractPost *, unsigned assertion); /* a vec: what it speaks of */
/* Some assertion speaks of the variable. The count grows whenever that answer changes for one. */
bool post_tracks(const AbstractPost *, unsigned variable);
unsigned post_tracked(const AbstractPost *);

/* SetPool of assertions have numbers as well; 0 is the empty one. */
unsigned post_mask(AbstractPost *, const PredicateSet *);
const PredicateSet *post_get(const AbstractPost *, unsigned mask);

unsigned post_step(AbstractPost *, const Expr *guard, const Update *updates /* a vec */);
/* Which of these assertions hold after the step, if those of the mask do before: a mask. NEVER: then the step is not possible. What the solver
   cannot tell in time is taken not to hold. */
unsigned post_after(AbstractPost *, unsigned step, unsigned mask, const PredicateSet *these);
/* The mask excludes the step. Remembered. */
bool post_excludes(AbstractPost *, unsigned step, unsigned mask);
/* Its guard, updates and inputs. */
const Transition *post_transition(const AbstractPost *, unsigned step);
/* The assertions that speak of what it writes. Good until the next assertion or step. */
const PredicateSet *post_written(AbstractPost *, unsigned step);
/* A part of the mask that suffices: for the assertion to hold after the step, or, if it is NONE, for the step to be impossible. It does
   hold, as post_after told. */
PredicateSet post_needs(AbstractPost *, unsigned step, unsigned mask, unsigned assertion);
