/* SPDX-License-Identifier: Apache-2.0 */
/* The proof: a growing set of assertions, and what it knows of steps. A step is a guard and a parallel assignment: a letter, perhaps with the
   constants of a vector put in, or, without assignment, a formula that is to be excluded (that two letters do not commute). Steps are the same
   if their guards and assignments are, so what is learned of one is known wherever it is met. */
#pragma once
#include "base/stats.h"
#include "interpolation/mask.h"
#include "smt/smt.h"
#include "system/system.h"

enum { NEVER = ~0u };

typedef struct Hoare Hoare;
Hoare *hoare_new(const System *, Smt *, Stats *);
void hoare_free(Hoare *);

/* The number of an assertion, new or not; NONE if there are too many. It is neither true nor false. */
unsigned hoare_assert(Hoare *, const Expr *);
size_t hoare_assertions(const Hoare *);
const Expr *hoare_assertion(const Hoare *, unsigned);
const unsigned *hoare_variables(const Hoare *, unsigned assertion); /* a vec: what it speaks of */
/* Some assertion speaks of the variable. The count grows whenever that answer changes for one. */
bool hoare_tracks(const Hoare *, unsigned variable);
unsigned hoare_tracked(const Hoare *);

/* Sets of assertions have numbers as well; 0 is the empty one. */
unsigned hoare_mask(Hoare *, const Mask *);
const Mask *hoare_get(const Hoare *, unsigned mask);

unsigned hoare_step(Hoare *, const Expr *guard, const Update *updates /* a vec */);
/* Which of these assertions hold after the step, if those of the mask do before: a mask. NEVER: then the step is not possible. What the solver
   cannot tell in time is taken not to hold. */
unsigned hoare_after(Hoare *, unsigned step, unsigned mask, const Mask *these);
/* The mask excludes the step. Remembered. */
bool hoare_excludes(Hoare *, unsigned step, unsigned mask);
/* Its guard, updates and inputs. */
const Transition *hoare_transition(const Hoare *, unsigned step);
/* The assertions that speak of what it writes. Good until the next assertion or step. */
const Mask *hoare_written(Hoare *, unsigned step);
/* A part of the mask that suffices: for the assertion to hold after the step, or, if it is NONE, for the step to be impossible. It does
   hold, as hoare_after told. */
Mask hoare_needs(Hoare *, unsigned step, unsigned mask, unsigned assertion);
