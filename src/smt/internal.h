/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of this folder share. */
#pragma once
#include "smt/smt.h"
#include "base/map.h"
#include <z3.h>

typedef struct Watch Watch;

struct Smt {
    Exprs *exprs;
    Z3_context z3;
    Watch *watch;
    Z3_ast *terms;  /* a vec, by Expr.id; NULL for an expression that is not encoded yet */
    Map *sorts;     /* Sort → Z3_sort */
    Map *symbols;   /* id of a Z3_func_decl → Symbol, for decoding */
    Map *answers;   /* Expr.id → SmtAnswer: answers of smt_check and smt_try */
    Solver *quick;  /* the solver of small questions */
    uint64_t calls; /* how often a solver was called */
};

Z3_func_decl smt_declaration(Smt *, const Symbol *);
Z3_ast smt_encode(Smt *, const Expr *);
/* Returns the expression of a term. Bound variable i is bound[n-1-i]. NULL if the term has no counterpart (a quantifier, a real). */
const Expr *smt_decode(Smt *, Z3_ast, size_t n, const Expr *const *bound);
const Expr *smt_decode_in(Smt *, Z3_model, Z3_ast, size_t n, const Expr *const *bound); /* decodes functions of the model as arrays */
/* Returns an equivalent formula without quantifiers; NULL if the elimination fails (eliminate.c). 0 milliseconds: no time limit. */
const Expr *smt_eliminate(Smt *, Z3_ast quantified, unsigned milliseconds);
SmtAnswer smt_answer(Smt *, Z3_lbool); /* counts the call */

/* ---- watch.c ---- */
Watch *watch_new(Z3_context);
void watch_free(Watch *);
/* Begins a call of the solver that is interrupted after this time. The call ends with watch_end. */
void watch_begin(Watch *, Z3_solver, unsigned milliseconds);
/* Begins a call that is limited by processor time, which is independent of the load of the machine. */
void watch_begin_work(Watch *, Z3_solver, unsigned milliseconds);
void watch_end(Watch *);
