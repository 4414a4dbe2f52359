/* SPDX-License-Identifier: Apache-2.0 */
/* Why is a path not possible? Assertions along it, one set for each position, such that each follows from the one before. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* A guard and a parallel assignment, as a transition's: over the system's variables and inputs, which are anew each time. */
typedef struct PathStep {
    const Expr *guard;
    const Update *updates; /* vecs */
    const Symbol *const *inputs;
} PathStep;

typedef enum PathAnswer { PATH_IMPOSSIBLE, PATH_POSSIBLE, PATH_UNKNOWN } PathAnswer;

typedef struct Interpolator Interpolator; /* with all it has learned: assertions in use, predicates that helped */
Interpolator *interpolator_new(const System *, Smt *);
void interpolator_free(Interpolator *);
/* An assertion that the proof has: preferred to a new one. */
void interpolator_prefer(Interpolator *, const Expr *);

/* Of a path that is impossible: at[i], for the positions 0 … n, is a vec of assertions over the system's variables. */
typedef struct Interpolants {
    PathAnswer answer;
    const Expr ***at; /* a vec; NULL unless PATH_IMPOSSIBLE */
} Interpolants;

/* The path of n steps from a state that satisfies `initially`. known (may be NULL) has for each position a vec (may be NULL)
   of assertions that are already shown to hold there: they need not be shown again.
   PATH_IMPOSSIBLE: with what is known, the assertions at i and the guard of step i imply those at i + 1 after the step; those
   at 0 follow from initially; those at n are false, as they are at each position after the shortest impossible prefix. */
Interpolants interpolate(Interpolator *, const Expr *initially, const PathStep *steps, size_t n, const Expr **const *known);
void interpolants_free(Interpolants *);
