/* SPDX-License-Identifier: Apache-2.0 */
/* Eliminates the inputs of a step from formulas, since assertions may only mention variables. The result holds for all values of the
   inputs. */
#include "interpolation/internal.h"

enum { ELIMINATE_MS = 300 };

bool project_mentions(const Expr *e, const Symbol *const *symbols) {
    for (size_t i = 0; i < vec_len(symbols); i++)
        if (expr_mentions(e, symbols[i])) return true;
    return false;
}

/* ---- definitions ---- */

/* Returns the value of the symbol at which the sum is 0. Returns NULL unless the symbol occurs once, with factor 1 or -1. */
static const Expr *solved_for(Interpolator *p, const Linear *l, const Symbol *symbol) {
    i128 factor = 0;
    Linear rest = {.sort = l->sort};
    for (size_t i = 0; i < vec_len(l->terms); i++) {
        const Expr *m = l->terms[i].monomial;
        if (m->op == OP_SYMBOL && m->symbol == symbol) factor = l->terms[i].factor;
        else if (expr_mentions(m, symbol)) return NULL;
    }
    if (factor != 1 && factor != -1) return NULL;
    Linear own = {.sort = l->sort};
    vec_push(own.terms, ((Term){1, expr_symbol(p->exprs, symbol)}));
    const Expr *e = linear_add(&rest, -factor, l) && linear_add(&rest, 1, &own) ? linear_expr(p->exprs, &rest) : NULL;
    linear_free(&rest);
    linear_free(&own);
    return e;
}

const Expr *project_definition(Interpolator *p, const Expr *equality, const Symbol *symbol) {
    Linear l;
    bool is_equality;
    if (equality->op != OP_EQ) return NULL;
    for (int side = 0; side < 2; side++) /* a symbol of any sort on one side */
        if (equality->args[side]->op == OP_SYMBOL && equality->args[side]->symbol == symbol &&
            !expr_mentions(equality->args[1 - side], symbol))
            return equality->args[1 - side];
    if (!linear_of_atom(p->exprs, equality, &l, &is_equality)) return NULL;
    const Expr *e = solved_for(p, &l, symbol);
    linear_free(&l);
    return e;
}

typedef struct Replaced {
    const Symbol *symbol;
    const Expr *value;
} Replaced;

static const Expr *replacement(void *context, const Expr *e) {
    const Replaced *r = context;
    return e->symbol == r->symbol ? r->value : NULL;
}

const Expr *project_replace(Interpolator *p, const Expr *e, const Symbol *symbol, const Expr *value) {
    ensure(value->sort == symbol->sort);
    Replaced r = {symbol, value};
    return normalise(p->normaliser, expr_substitute(p->exprs, e, replacement, &r));
}

/* Replaces the input u by t in a clause with the literal u != t, since the clause holds for all other values of u. */
static const Expr *instantiated(Interpolator *p, const Expr *clause, const Symbol *input) {
    for (unsigned i = 0; clause->op == OP_OR && i < clause->nargs; i++) {
        const Expr *value = clause->args[i]->op == OP_NOT ? project_definition(p, clause->args[i]->args[0], input) : NULL;
        if (value) return project_replace(p, clause, input, value);
    }
    return clause;
}

/* ---- all ---- */

static const Expr *clause_without(Interpolator *p, const Symbol *const *inputs, const Expr *clause) {
    for (size_t i = 0; i < vec_len(inputs); i++)
        if (expr_mentions(clause, inputs[i])) clause = instantiated(p, clause, inputs[i]);
    if (!project_mentions(clause, inputs)) return clause;
    const Expr *some = smt_exists(p->smt, ELIMINATE_MS, vec_len(inputs), inputs, expr_not(p->exprs, clause));
    return some && !project_mentions(some, inputs) ? normalise_not(p->normaliser, some) : NULL;
}

const Expr *project_inputs(Interpolator *p, const Symbol *const *inputs, const Expr *e) {
    const Expr **conjuncts = NULL;
    ensure(expr_is_formula(e));
    if (!project_mentions(e, inputs)) return e;
    normalise_conjuncts(p->normaliser, e, &conjuncts);
    e = expr_bool(p->exprs, true);
    for (size_t i = 0; i < vec_len(conjuncts) && e; i++) {
        const Expr *c = clause_without(p, inputs, conjuncts[i]);
        e = c ? expr_and(p->exprs, e, c) : NULL;
    }
    vec_free(conjuncts);
    return e ? normalise(p->normaliser, e) : NULL;
}
