/* SPDX-License-Identifier: Apache-2.0 */
/* Computes normal forms of formulas that are compared and kept, such as assertions of proofs. Formulas that differ only in the form of
   sums, comparisons and negations become the same pointer.
     Sums:        Σ of monomials with factors, sorted; products are multiplied out.
     Comparisons: of integers, left <= right + k with positive factors on both sides (left < right for k = -1); left = right + k.
                  The common divisor of all factors is divided out. For bit-vectors, only equalities change, likewise.
     Arrays:      select over store and over ite become choices.
     Bool:        negations are only at atoms; operands of and, or are sorted.
   Faults play no part: flags are dropped, and an operator that would fault has its value in SMT-LIB. */
#pragma once
#include "expr/expr.h"

typedef struct Normaliser Normaliser; /* with a cache of results */
Normaliser *normaliser_new(Exprs *);
void normaliser_free(Normaliser *);
const Expr *normalise(Normaliser *, const Expr *);
const Expr *normalise_not(Normaliser *, const Expr *); /* the normal form of the negation */
const Expr *normalise_and(Normaliser *n, size_t count, const Expr *const *e);
const Expr *normalise_or(Normaliser *n, size_t count, const Expr *const *e);
/* Appends the conjuncts of a formula, in normal form, to a vec; none for true. */
void normalise_conjuncts(Normaliser *, const Expr *, const Expr ***conjuncts);

/* ---- sums ---- */
typedef struct Term {
    i128 factor; /* not 0 */
    const Expr *monomial;
} Term;
/* A sum Σ factor · monomial + constant. Monomials differ and are sorted by id. Sums of bit-vectors are modulo 2^width, with signed
   factors. */
typedef struct Linear {
    const Sort *sort;
    Term *terms; /* a vec */
    i128 constant;
} Linear;
bool linear_valid(const Linear *);
void linear_free(Linear *);
void linear_of(Exprs *, const Expr *, Linear *);          /* the expression is an integer or a bit-vector */
bool linear_add(Linear *to, i128 factor, const Linear *); /* false: the numbers are too large, and `to` is unchanged */
const Expr *linear_expr(Exprs *, const Linear *);
/* Computes *out = constant - sum. Returns false if the numbers are too large. For integers and constant 1: *out <= 0 iff not sum <= 0. */
bool linear_subtract(i128 constant, const Linear *sum, Linear *out);
/* Return formulas in normal form: the sum is 0; the sum, of integers, is at most 0. */
const Expr *linear_is_zero(Exprs *, const Linear *);
const Expr *linear_not_positive(Exprs *, const Linear *);
/* Returns true for a = b, a <= b and a < b of integers. */
static inline bool is_integer_comparison(const Expr *e) {
    return (e->op == OP_EQ || e->op == OP_SLE || e->op == OP_SLT) && e->args[0]->sort->kind == SORT_INT;
}
/* Converts an atom in normal form to a sum that is 0 (*equality) or at most 0. Returns false unless it is an equality or inequality of
   integers or an equality of bit-vectors. */
bool linear_of_atom(Exprs *, const Expr *atom, Linear *, bool *equality);
