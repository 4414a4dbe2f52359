/* SPDX-License-Identifier: Apache-2.0 */
/* Proves inequalities by Farkas' lemma. Let f and the rows e1, …, en be sums of integers. For factors k1, …, kn >= 0, let f + k1 e1 + … +
   kn en be a constant k0 >= 0. Then e1 <= 0, …, en <= 0 imply f >= 0. If f is 0 and k0 is at least 1, no values satisfy all rows. The
   conditions on the factors, and on unknown coefficients of f, are linear, so a solver finds them. Integers suffice, since fractions can be
   multiplied away. */
#pragma once
#include "expr/normal.h"
#include "smt/smt.h"

typedef struct FarkasTerm {
    const Expr *monomial, *factor;
} FarkasTerm;
/* The sum of factor · monomial, and of a constant. Factors and the constant are expressions over unknowns. Monomials differ from each
   other. */
typedef struct FarkasSum {
    FarkasTerm *terms;    /* a vec */
    const Expr *constant; /* NULL stands for 0 */
} FarkasSum;

/* Add factor · monomial, or a constant, to the sum. */
void farkas_add(FarkasSum *, Exprs *, const Expr *monomial, const Expr *factor);
void farkas_add_constant(FarkasSum *, Exprs *, const Expr *);
/* Adds by · factor · row to the sum. */
void farkas_add_row(FarkasSum *, Exprs *, i128 by, const Expr *factor, const Linear *row);
/* Asserts that the sum does not depend on its monomials and is at least `least`. Frees the terms of the sum. */
void farkas_assert(FarkasSum *, Exprs *, Solver *, i128 least);
