/* SPDX-License-Identifier: Apache-2.0 */
/* Normal forms, for formulas that are compared and kept: assertions of proofs. Two formulas that differ only in how sums,
   comparisons and negations are written come out as the same pointer.
     sums         of monomials with their factors, sorted; products are multiplied out
     comparisons  of integers: left <= right + k with positive factors on both sides (left < right for k = -1); left = right + k;
                  divided by what divides all factors. Of bit-vectors: equalities likewise, others as they are.
     arrays       select over store and over ite become choices
     Bool         negations at the atoms, operands of and, or sorted
   Faults play no part: flags are dropped, and an operator that would fault has the value SMT-LIB gives it. */
#pragma once
#include "expr/expr.h"

typedef struct Normaliser Normaliser; /* with what it has seen */
Normaliser *normaliser_new(Exprs *);
void normaliser_free(Normaliser *);
const Expr *normal(Normaliser *, const Expr *);
const Expr *normal_not(Normaliser *, const Expr *); /* of the negation */
const Expr *normal_and(Normaliser *n, size_t count, const Expr *const *e);
const Expr *normal_or(Normaliser *n, size_t count, const Expr *const *e);
/* The conjuncts of a formula, in normal form, appended to a vec; nothing for true. */
void normal_conjuncts(Normaliser *, const Expr *, const Expr ***conjuncts);

/* ---- sums ---- */
typedef struct Term {
    i128 factor; /* not 0 */
    const Expr *monomial;
} Term;
/* Σ factor · monomial + constant; monomials differ and are sorted by id. Of bit-vectors: modulo 2^width, factors read as signed. */
typedef struct Linear {
    const Sort *sort;
    Term *terms; /* a vec */
    i128 constant;
} Linear;
bool linear_valid(const Linear *);
void linear_free(Linear *);
void linear_of(Exprs *, const Expr *, Linear *);          /* of an expression of int or bit-vectors */
bool linear_add(Linear *to, i128 factor, const Linear *); /* false: too large, to is not changed */
const Expr *linear_expr(Exprs *, const Linear *);
/* *out = constant - sum. False: too large. With 1: at most 0 where the sum of integers is not. */
bool linear_subtract(i128 constant, const Linear *sum, Linear *out);
/* The sum is 0; of integers: at most 0. In normal form. */
const Expr *linear_is_zero(Exprs *, const Linear *);
const Expr *linear_not_positive(Exprs *, const Linear *);
/* Is it a = b, a <= b or a < b of integers? */
static inline bool is_integer_comparison(const Expr *e) {
    return (e->op == OP_EQ || e->op == OP_SLE || e->op == OP_SLT) && e->args[0]->sort->kind == SORT_INT;
}
/* An atom in normal form as such a sum: of an equality or an inequality of integers or an equality of bit-vectors. False for other atoms. */
bool linear_of_atom(Exprs *, const Expr *atom, Linear *, bool *equality);
