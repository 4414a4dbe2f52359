/* SPDX-License-Identifier: Apache-2.0 */
/* Removes from guards the conditions that only keep C's arithmetic defined, or that compare numbers modulo a power of two. Without these
   conditions, sums are those of integers, and more steps commute.

   requires  a system of integers
   ensures   every execution remains; there may be more executions if weaken_guards returns true
   breaks    an error of the system need not be one of the program; movers and blocks */
#include "passes/system/system_passes.h"
#include "passes/system/tidy.h"

typedef struct Weakening {
    const System *system;
    Exprs *exprs;
    Smt *smt;
    const Expr *in_range; /* for the present transition: the sums that it computes are in the range of their types */
    bool changed;
} Weakening;

/* ---- sums ---- */

static bool is_sum(const Expr *e) { return e->sort->kind == SORT_INT && (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL); }

/* Returns the formula that all sums in e are signed numbers of `width` bits. seen: the expressions that are handled already. */
static const Expr *sums_in_range(Exprs *x, const Expr *e, unsigned width, Map *seen) {
    const Expr *all = expr_bool(x, true);
    if (!e->nargs || map_find(seen, e)) return all;
    map_set(seen, e, (void *)e);
    const i128 most = (i128)1 << (width - 1);
    if (is_sum(e)) all = expr_and(x, expr_2(x, OP_SLE, expr_int(x, -most), e), expr_2(x, OP_SLE, e, expr_int(x, most - 1)));
    for (unsigned i = 0; i < e->nargs; i++) all = expr_and(x, all, sums_in_range(x, e->args[i], width, seen));
    return all;
}

static unsigned signed_width(const System *s, unsigned variable) {
    const Variable *v = s->variables[variable].origin;
    const Sort *sort = v ? v->sort : NULL;
    while (sort && sort->kind == SORT_ARRAY) sort = sort->element;
    return sort && sort->kind == SORT_BV && v->is_signed && sort->width <= 64 ? sort->width : 0;
}

static const Expr *computed_in_range(const System *s, const Transition *tr) {
    const Expr *all = expr_bool(s->exprs, true);
    Map *seen = map_new();
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        unsigned width = signed_width(s, tr->updates[u].variable);
        if (width) all = expr_and(s->exprs, all, sums_in_range(s->exprs, tr->updates[u].value, width, seen));
    }
    map_free(seen);
    return all;
}

/* ---- conditions to remove ---- */

/* True if e has a constant near the bounds of a type. Other conditions do not limit arithmetic, and the solver is not called for them. */
static bool has_bound(const Expr *e) {
    const i128 near = 16;
    i128 c = e->op == OP_CONST && e->sort->kind == SORT_INT ? (i128)e->value : 0;
    if (c < 0) c = -c;
    for (unsigned w = 15; w < 64; w = w * 2 + 1)
        if (c >= ((i128)1 << w) - near && c <= ((i128)1 << w) + near) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (has_bound(e->args[i])) return true;
    return false;
}

static bool uses_input(const Transition *tr, const Expr *e) {
    if (e->op == OP_SYMBOL)
        for (size_t i = 0; i < vec_len(tr->inputs); i++)
            if (tr->inputs[i] == e->symbol) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (uses_input(tr, e->args[i])) return true;
    return false;
}

/* True if e holds whenever the sums that the transition computes are in range. */
static bool only_keeps_in_range(Weakening *w, const Transition *tr, const Expr *e) {
    Exprs *x = w->exprs;
    if (expr_is_true(w->in_range) || !has_bound(e) || uses_input(tr, e)) return false;
    const Expr *claim = expr_implies(x, w->in_range, e);
    return smt_proves(w->smt, x, expr_implies(x, tidy_types(w->system, claim), claim));
}

static bool is_remainder_of_power(const Expr *e) {
    i128 m = e->op == OP_MOD && expr_is_const(e->args[1]) ? (i128)e->args[1]->value : 0;
    return m > 1 && !(m & (m - 1));
}

/* Returns a != c for a % m != c, where m is a power of two and c a remainder. NULL for other expressions. */
static const Expr *plain_difference(Exprs *x, const Expr *e) {
    if (e->op != OP_NOT || e->args[0]->op != OP_EQ) return NULL;
    for (unsigned k = 0; k < 2; k++) {
        const Expr *r = e->args[0]->args[k], *c = e->args[0]->args[1 - k];
        if (is_remainder_of_power(r) && expr_is_const(c) && (i128)c->value >= 0 && (i128)c->value < (i128)r->args[1]->value)
            return expr_not(x, expr_eq(x, r->args[0], c));
    }
    return NULL;
}

static const Expr *weaker(Weakening *w, const Transition *tr, const Expr *e) {
    const Expr *difference = plain_difference(w->exprs, e);
    if (difference) w->changed = true;
    if (difference) return difference;
    if (e->op == OP_AND || e->op == OP_OR) {
        const Expr *args[e->nargs];
        for (unsigned i = 0; i < e->nargs; i++) args[i] = weaker(w, tr, e->args[i]);
        e = expr_make(w->exprs, e->op, 0, e->nargs, args);
    }
    if (e->op == OP_AND || !only_keeps_in_range(w, tr, e)) return e;
    w->changed = true;
    return expr_bool(w->exprs, true);
}

bool weaken_guards(System *s, Smt *smt) {
    Weakening w = {.system = s, .exprs = s->exprs, .smt = smt};
    for (size_t t = 0; t < vec_len(s->threads) && s->integers; t++)
        vec_each_at(Transition, tr, s->threads[t].transitions) {
            w.in_range = computed_in_range(s, tr);
            tr->guard = weaker(&w, tr, tr->guard);
        }
    return w.changed;
}
