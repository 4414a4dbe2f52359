/* SPDX-License-Identifier: Apache-2.0 */
/* Constrained Horn clauses, solved by Z3's Spacer. A predicate is an uninterpreted function to Bool, an atom its
   application; every variable of a clause is universally quantified:
       constraint ∧ body[0] ∧ … ∧ body[n-1]  →  head        (head NULL: false, a query)                     */
#pragma once
#include "smt/smt.h"

typedef struct HornClause {
    const char *name; /* unique; which rule, thread and location it comes from */
    const Expr *constraint;
    const Expr **body; /* atoms; a vec */
    const Expr *head;
} HornClause;

typedef struct Horn Horn;
Horn *horn_new(Smt *);
void horn_free(Horn *);
const Symbol *horn_predicate(Horn *, const char *name, unsigned n, const Sort *const *sorts);
void horn_clause(Horn *, const char *name, const Expr *constraint, unsigned n, const Expr *const *body, const Expr *head);
size_t horn_clauses(const Horn *);
size_t horn_predicates(const Horn *);
const HornClause *horn_get(const Horn *, size_t clause);
Exprs *horn_exprs(const Horn *);
/* A further constraint of a clause. */
void horn_strengthen(Horn *, size_t clause, const Expr *);
/* The clause in other words: equivalent where the constraint holds. A constraint that is false takes the clause out. */
void horn_rewrite(Horn *, size_t clause, const Expr *constraint, const Expr *head);

typedef enum HornAnswer {
    HORN_SOLVED,  /* the clauses have a solution: horn_solution */
    HORN_REFUTED, /* they have none: false is derivable; horn_refutation */
    HORN_UNKNOWN  /* time, memory, or the solver gave up: horn_reason */
} HornAnswer;
typedef struct HornLimits {
    unsigned milliseconds;
    unsigned contexts; /* spacer.max_num_contexts; 0: the solver's default */
    bool plain;        /* no preprocessing: often slower, but what it inlines is not always defined rightly in the model */
} HornLimits;
HornAnswer horn_solve(Horn *, HornLimits);
const char *horn_reason(const Horn *);

/* After HORN_SOLVED: what the predicate is, of these arguments; NULL if the solver's answer cannot be read. */
const Expr *horn_solution(Horn *, const Symbol *predicate, const Expr *const *args);
/* Does the solution satisfy every clause? SMT_SAT: one it does not, for certain. Independent of Spacer. */
SmtAnswer horn_check_solution(Horn *, unsigned milliseconds);
/* After HORN_REFUTED, for linear clauses: the clauses of the derivation, from a fact to the query, as a vec of indices;
   NULL if the solver does not tell. The caller frees it. */
size_t *horn_refutation(Horn *, HornLimits);

void horn_print(Buf *, const Horn *); /* SMT-LIB, logic HORN */
