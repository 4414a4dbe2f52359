/* SPDX-License-Identifier: Apache-2.0 */
/* Farkas' lemma: a sum f of integers is at least 0 wherever rows e1 <= 0, …, en <= 0 hold if there are factors k >= 0 with
   f + k1 e1 + … + kn en = k0 >= 0. Where f is 0 and k0 at least 1, the rows exclude each other. What is asked of the factors, and of unknown
   coefficients of f, is linear: a solver finds them, in integers, since fractions can be multiplied away. */
#pragma once
#include "expr/normal.h"
#include "smt/smt.h"

typedef struct FarkasTerm {
    const Expr *monomial, *factor;
} FarkasTerm;
/* Σ factor · monomial + constant. Factors and the constant are expressions over unknowns; monomials differ. */
typedef struct FarkasSum {
    FarkasTerm *terms;    /* a vec */
    const Expr *constant; /* NULL: 0 */
} FarkasSum;

/* Adds factor · monomial, and to the constant. */
void farkas_add(FarkasSum *, Exprs *, const Expr *monomial, const Expr *factor);
void farkas_add_constant(FarkasSum *, Exprs *, const Expr *);
/* Adds by · factor · row. */
void farkas_add_row(FarkasSum *, Exprs *, i128 by, const Expr *factor, const Linear *row);
/* Asserts that the sum is a constant of at least `least`, whatever the monomials are; the sum is freed. */
void farkas_assert(FarkasSum *, Exprs *, Solver *, i128 least);
