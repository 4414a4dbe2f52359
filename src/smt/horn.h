/* SPDX-License-Identifier: Apache-2.0 */
/* Solves constrained Horn clauses by Z3's Spacer. A predicate is an uninterpreted function to Bool, and an atom applies it.
   All variables of a clause are universally quantified. Without a head, the clause is a query: its head is false.
       constraint ∧ body[0] ∧ … ∧ body[n-1]  →  head                                                        */
#pragma once
#include "smt/smt.h"

typedef struct HornClause {
    const char *name; /* unique; names the rule, thread and location that the clause comes from */
    const Expr *constraint;
    const Expr **body; /* a vec of atoms */
    const Expr *head;  /* an atom, or NULL for false */
} HornClause;

typedef struct Horn Horn;
Horn *horn_new(Smt *);
void horn_free(Horn *);
/* Adds a predicate over arguments of these sorts. */
const Symbol *horn_predicate(Horn *, const char *name, unsigned n, const Sort *const *sorts);
/* Adds a clause, unless its constraint is false. body: n atoms. head: an atom, or NULL for a query. Name and body are copied. */
void horn_clause(Horn *, const char *name, const Expr *constraint, unsigned n, const Expr *const *body, const Expr *head);
size_t horn_clauses(const Horn *);
size_t horn_predicates(const Horn *);
const HornClause *horn_get(const Horn *, size_t clause);
Exprs *horn_exprs(const Horn *);
/* Adds a further constraint to a clause. */
void horn_strengthen(Horn *, size_t clause, const Expr *);
/* Replaces constraint and head of a clause. The new clause must be equivalent where the constraint holds. If the constraint is false, the
   clause is ignored. */
void horn_rewrite(Horn *, size_t clause, const Expr *constraint, const Expr *head);

typedef enum HornAnswer {
    HORN_SOLVED,  /* the clauses have a solution: see horn_solution */
    HORN_REFUTED, /* the clauses imply false: see horn_refutation */
    HORN_UNKNOWN  /* time or memory ran out, or the solver gave up: see horn_reason */
} HornAnswer;
typedef struct HornLimits {
    unsigned milliseconds;
    unsigned contexts; /* spacer.max_num_contexts, or 0 for the solver's default */
    bool plain;        /* no preprocessing: often slower, but the model sometimes defines inlined predicates wrongly */
} HornLimits;
HornAnswer horn_solve(Horn *, HornLimits);
/* Returns why the last answer is HORN_UNKNOWN. */
const char *horn_reason(const Horn *);

/* Returns the solution of the predicate for these arguments, after HORN_SOLVED; NULL if the solver's answer cannot be decoded. */
const Expr *horn_solution(Horn *, const Symbol *predicate, const Expr *const *args);
/* Checks the solution without Spacer. Returns SMT_UNSAT if the solution satisfies every clause, SMT_SAT if it violates a clause. */
SmtAnswer horn_check_solution(Horn *, unsigned milliseconds);
/* Returns the clauses of the derivation after HORN_REFUTED, each as often as it is applied, as a vec of indices: from facts to the query. If
   all clauses are linear, they are in the order of the derivation. The caller frees the vec. Returns NULL if the solver does not give a
   derivation. */
size_t *horn_refutation(Horn *, HornLimits);

void horn_print(Buf *, const Horn *); /* in SMT-LIB, logic HORN */
