/* SPDX-License-Identifier: Apache-2.0 */
/* The largest set of simple candidate facts that is inductive: quick, and often all the proof needs. */
#pragma once
#include "smt/horn.h"

/* A predicate, the symbols that stand for its arguments, and facts over these. */
typedef struct HoudiniFacts {
    const Symbol *predicate;
    const Symbol **arguments; /* vecs */
    const Expr **facts;
} HoudiniFacts;

/* Takes away from each predicate's candidates what the clauses do not keep, until the rest is inductive. False: no time was
   left, and nothing may be used. *solved: the facts alone satisfy the queries too. */
bool houdini(Horn *, Smt *, HoudiniFacts *list, size_t n, double seconds, bool *solved);

/* Facts about what an atom says, of its own arguments. */
const Expr *houdini_of_atom(Exprs *, const HoudiniFacts *list, size_t n, const Expr *atom);

/* Candidates for variables of the given symbols: comparisons with the constants, and with each other. */
void houdini_candidates(Exprs *, HoudiniFacts *, const Expr *const *constants /* a vec */);
