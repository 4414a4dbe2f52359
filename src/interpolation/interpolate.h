/* SPDX-License-Identifier: Apache-2.0 */
/* Computes interpolants of an impossible path: a set of assertions for each position, such that each set follows from the previous one. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* A guard and a parallel assignment over the system's variables and the step's inputs, which have new values each time */
typedef struct PathStep {
    const Expr *guard;
    const Update *updates; /* updates and inputs: vecs */
    const Symbol *const *inputs;
} PathStep;

typedef enum PathAnswer { PATH_IMPOSSIBLE, PATH_POSSIBLE, PATH_UNKNOWN } PathAnswer;

typedef struct Interpolator Interpolator; /* keeps the assertions and guards that it has seen */
Interpolator *interpolator_new(const System *, Smt *);
void interpolator_free(Interpolator *);
/* Tells the interpolator of an assertion that the proof has, and that it then prefers to new ones. */
void interpolator_prefer(Interpolator *, const Expr *);

/* The interpolants of an impossible path: at[i], for the positions 0 … n, is a vec of assertions over the system's variables. */
typedef struct Interpolants {
    PathAnswer answer;
    const Expr ***at; /* a vec; NULL unless PATH_IMPOSSIBLE */
} Interpolants;

/* Returns interpolants of the path of n steps from a state that satisfies `initially`. `known` may be NULL. Otherwise it has for each
   position a vec (or NULL) of assertions that hold there already, so that the result need not contain them.

   For PATH_IMPOSSIBLE, the assertions at 0 follow from `initially`. Each set at i, with known[i] and the guard of step i, is a reason for
   the set at i + 1 after the step. The assertions at n are false, as at each position after the shortest impossible prefix. */
Interpolants interpolate(Interpolator *, const Expr *initially, const PathStep *steps, size_t n, const Expr **const *known);
void interpolants_free(Interpolants *);
