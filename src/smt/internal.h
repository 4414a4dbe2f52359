/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this folder. */
#pragma once
#include "smt/smt.h"
#include "base/map.h"
#include <z3.h>

typedef struct Watch Watch;

struct Smt {
    Exprs *exprs;
    Z3_context z3;
    Watch *watch;
    Z3_ast *terms; /* a vec by Expr.id; NULL: not encoded yet */
    Map *sorts;    /* Sort -> Z3_sort */
    Map *symbols;  /* Z3_func_decl id -> Symbol: the way back */
    Map *answers;  /* Expr.id -> SmtAnswer + 1 */
    Solver *quick; /* for smt_check */
    uint64_t calls;
};

Z3_func_decl smt_declaration(Smt *, const Symbol *);
Z3_ast smt_encode(Smt *, const Expr *);
/* Back to an expression; bound variable i is bound[n-1-i]. NULL if the term has no counterpart (a quantifier, a real). */
const Expr *smt_decode(Smt *, Z3_ast, size_t n, const Expr *const *bound);
const Expr *smt_decode_in(Smt *, Z3_model, Z3_ast, size_t n, const Expr *const *bound); /* functions of the model as arrays */
/* The formula without its quantifiers; NULL if they do not go (eliminate.c). 0 milliseconds: no limit. */
const Expr *smt_eliminate(Smt *, Z3_ast quantified, unsigned milliseconds);
SmtAnswer smt_answer(Smt *, Z3_lbool); /* counts it */

/* ---- watch.c ---- */
Watch *watch_new(Z3_context);
void watch_free(Watch *);
/* A call of the solver begins that must not take longer; then it has ended. */
void watch_begin(Watch *, Z3_solver, unsigned milliseconds);
/* … by the processor's time, which does not pass faster where others want the processor too. */
void watch_begin_work(Watch *, Z3_solver, unsigned milliseconds);
void watch_end(Watch *);
