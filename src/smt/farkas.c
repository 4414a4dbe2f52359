/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of Farkas' lemma: see farkas.h. */
#include "smt/farkas.h"
#include "base/vec.h"

static const Expr *plus(Exprs *x, const Expr *a, const Expr *b) { return a ? expr_2(x, OP_ADD, a, b) : b; }

void farkas_add(FarkasSum *f, Exprs *x, const Expr *monomial, const Expr *factor) {
    ensure(monomial->sort->kind == SORT_INT && factor->sort->kind == SORT_INT);
    for (size_t i = 0; i < vec_len(f->terms); i++)
        if (f->terms[i].monomial == monomial) {
            f->terms[i].factor = plus(x, f->terms[i].factor, factor);
            return;
        }
    vec_push(f->terms, ((FarkasTerm){monomial, factor}));
}

void farkas_add_constant(FarkasSum *f, Exprs *x, const Expr *e) { f->constant = plus(x, f->constant, e); }

void farkas_add_row(FarkasSum *f, Exprs *x, i128 by, const Expr *factor, const Linear *row) {
    ensure(row->sort->kind == SORT_INT);
    for (size_t i = 0; i < vec_len(row->terms); i++)
        farkas_add(f, x, row->terms[i].monomial, expr_2(x, OP_MUL, expr_int(x, by * row->terms[i].factor), factor));
    farkas_add_constant(f, x, expr_2(x, OP_MUL, expr_int(x, by * row->constant), factor));
}

void farkas_assert(FarkasSum *f, Exprs *x, Solver *s, i128 least) {
    const Expr *zero = expr_int(x, 0);
    for (size_t i = 0; i < vec_len(f->terms); i++) solver_assert(s, expr_eq(x, f->terms[i].factor, zero));
    solver_assert(s, expr_2(x, OP_SLE, expr_int(x, least), f->constant ? f->constant : zero));
    vec_free(f->terms);
}
