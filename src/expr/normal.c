/* SPDX-License-Identifier: Apache-2.0 */
/* Computes normal forms of formulas. linear.c has normal forms of sums and comparisons. */
#include "expr/normal.h"
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"
#include <stdlib.h>

struct Normaliser {
    Exprs *exprs;
    Map *done;    /* Expr -> its normal form */
    Map *negated; /* normal form -> normal form of its negation */
};

Normaliser *normaliser_new(Exprs *x) {
    Normaliser *n = zeroed(1, sizeof *n);
    n->exprs = x;
    n->done = map_new();
    n->negated = map_new();
    return n;
}

void normaliser_free(Normaliser *n) {
    if (!n) return;
    map_free(n->done);
    map_free(n->negated);
    free(n);
}

/* ---- and, or ---- */

static int by_id(const void *a, const void *b) {
    const Expr *const *x = a, *const *y = b;
    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

static void flatten(Op op, const Expr *e, const Expr ***items) {
    if (e->op == op)
        for (unsigned i = 0; i < e->nargs; i++) flatten(op, e->args[i], items);
    else vec_push(*items, e);
}

static const Expr *negated(Normaliser *, const Expr *);

static bool has(const Expr *const *sorted, const Expr *e) { return bsearch(&e, sorted, vec_len(sorted), sizeof *sorted, by_id) != NULL; }

/* Returns true if an atom and its negation both occur. Compound items are not negated for this test. */
static bool contradictory(Normaliser *n, const Expr *const *items) {
    for (size_t i = 0; i < vec_len(items); i++)
        if (items[i]->op != OP_AND && items[i]->op != OP_OR && has(items, negated(n, items[i]))) return true;
    return false;
}

/* Returns the AND or OR of operands in normal form. */
static const Expr *junction(Normaliser *n, Op op, size_t count, const Expr *const *args) {
    const Expr **items = NULL;
    for (size_t i = 0; i < count; i++) flatten(op, args[i], &items);
    if (vec_len(items)) qsort(items, vec_len(items), sizeof *items, by_id);
    const Expr *e =
        contradictory(n, items) ? expr_bool(n->exprs, op == OP_OR) : expr_make(n->exprs, op, 0, (unsigned)vec_len(items), items);
    vec_free(items);
    return e;
}

/* Returns the AND or OR of any operands. */
static const Expr *normalise_junction(Normaliser *n, Op op, size_t count, const Expr *const *e) {
    const Expr **args = NULL;
    for (size_t i = 0; i < count; i++) vec_push(args, normalise(n, e[i]));
    const Expr *r = junction(n, op, count, args);
    vec_free(args);
    return r;
}

const Expr *normalise_and(Normaliser *n, size_t count, const Expr *const *e) { return normalise_junction(n, OP_AND, count, e); }
const Expr *normalise_or(Normaliser *n, size_t count, const Expr *const *e) { return normalise_junction(n, OP_OR, count, e); }

/* ---- not ---- */

static const Expr *negated_junction(Normaliser *n, const Expr *e) {
    const Expr **args = NULL;
    for (unsigned i = 0; i < e->nargs; i++) vec_push(args, negated(n, e->args[i]));
    const Expr *r = junction(n, e->op == OP_AND ? OP_OR : OP_AND, vec_len(args), args);
    vec_free(args);
    return r;
}

/* Negates Σ <= 0 to 1 - Σ <= 0. */
static const Expr *negated_inequality(Normaliser *n, const Expr *e) {
    Linear l, turned;
    bool equality;
    if (!linear_of_atom(n->exprs, e, &l, &equality)) return expr_not(n->exprs, e);
    const Expr *r = linear_subtract(1, &l, &turned) ? linear_not_positive(n->exprs, &turned) : expr_not(n->exprs, e);
    linear_free(&l);
    linear_free(&turned);
    return r;
}

static const Expr *negated_new(Normaliser *n, const Expr *e) {
    switch (e->op) {
    case OP_AND:
    case OP_OR: return negated_junction(n, e);
    case OP_SLT:
    case OP_SLE: return is_int(e->args[0]->sort) ? negated_inequality(n, e) : expr_not(n->exprs, e);
    case OP_ITE: return expr_ite(n->exprs, e->args[0], negated(n, e->args[1]), negated(n, e->args[2]));
    default: return expr_not(n->exprs, e);
    }
}

static const Expr *negated(Normaliser *n, const Expr *e) {
    const Expr *r = map_find(n->negated, e);
    if (r) return r;
    r = negated_new(n, e);
    map_set(n->negated, e, r);
    if (!map_find(n->negated, r)) map_set(n->negated, r, e);
    if (!map_find(n->done, r)) map_set(n->done, r, r);
    return r;
}

const Expr *normalise_not(Normaliser *n, const Expr *e) { return negated(n, normalise(n, e)); }

/* ---- atoms ---- */

static const Expr *equality(Normaliser *n, const Expr *a, const Expr *b) {
    Linear l;
    bool is_equality;
    const Expr *e = a->id <= b->id ? expr_eq(n->exprs, a, b) : expr_eq(n->exprs, b, a);
    if (e->op != OP_EQ) return normalise(n, e); /* the constructor has simplified it */
    if (!linear_of_atom(n->exprs, e, &l, &is_equality)) return e;
    e = linear_is_zero(n->exprs, &l);
    linear_free(&l);
    return e->op == OP_EQ ? e : normalise(n, e);
}

static const Expr *inequality(Normaliser *n, Op op, const Expr *a, const Expr *b) {
    Linear l;
    bool is_equality;
    const Expr *e = expr_2(n->exprs, op, a, b);
    if (!is_int(a->sort) || !linear_of_atom(n->exprs, e, &l, &is_equality)) return e;
    e = linear_not_positive(n->exprs, &l);
    linear_free(&l);
    return e->op == OP_SLT || e->op == OP_SLE ? e : normalise(n, e);
}

static const Expr *sum(Normaliser *n, Op op, const Expr *a, const Expr *b) {
    Linear l;
    linear_of(n->exprs, expr_2(n->exprs, op, a, b), &l);
    const Expr *e = linear_expr(n->exprs, &l);
    linear_free(&l);
    return e;
}

static const Expr *choice(Normaliser *n, const Expr *c, const Expr *a, const Expr *b) {
    if (expr_is_const(c)) return c->value ? a : b;
    if (a == b) return a;
    const Expr *not_c = negated(n, c);
    if (a->sort->kind == SORT_BOOL && (expr_is_const(a) || expr_is_const(b))) {
        bool first = expr_is_const(a);
        const Expr *fixed = first ? a : b, *other = first ? b : a;
        /* c ? true : b is c or b; c ? false : b is not c and b; the same for the other side with c negated */
        const Expr *args[] = {(first == (fixed->value != 0)) ? c : not_c, other};
        return junction(n, fixed->value ? OP_OR : OP_AND, 2, args);
    }
    return not_c->id < c->id ? expr_ite(n->exprs, not_c, b, a) : expr_ite(n->exprs, c, a, b);
}

/* ---- arrays ---- */

static const Expr *selected(Normaliser *n, const Expr *array, const Expr *index) {
    if (array->op == OP_ITE) return choice(n, array->args[0], selected(n, array->args[1], index), selected(n, array->args[2], index));
    if (array->op != OP_STORE) return expr_2(n->exprs, OP_SELECT, array, index);
    const Expr *same = equality(n, array->args[1], index);
    if (expr_is_true(same)) return array->args[2];
    const Expr *below = selected(n, array->args[0], index);
    return choice(n, same, array->args[2], below);
}

/* ---- all ---- */

static const Expr *normal_new(Normaliser *n, const Expr *e, const Expr *const *args) {
    bool arithmetic = is_int(e->sort) || is_bv(e->sort);
    switch (e->op) {
    case OP_NOT: return negated(n, args[0]);
    case OP_AND:
    case OP_OR: return junction(n, e->op, e->nargs, args);
    case OP_EQ: return equality(n, args[0], args[1]);
    case OP_SLT:
    case OP_SLE: return inequality(n, e->op, args[0], args[1]);
    case OP_ITE: return choice(n, args[0], args[1], args[2]);
    case OP_SELECT: return selected(n, args[0], args[1]);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        if (arithmetic) return sum(n, e->op, args[0], args[1]);
        break;
    default: break;
    }
    return expr_rebuild(n->exprs, e, 0, args);
}

const Expr *normalise(Normaliser *n, const Expr *e) {
    if (!e->nargs) return e;
    const Expr *r = map_find(n->done, e);
    if (r) return r;
    const Expr **args = NULL;
    for (unsigned i = 0; i < e->nargs; i++) vec_push(args, normalise(n, e->args[i]));
    r = normal_new(n, e, args);
    vec_free(args);
    map_set(n->done, e, r);
    if (!map_find(n->done, r)) map_set(n->done, r, r);
    return r;
}

void normalise_conjuncts(Normaliser *n, const Expr *e, const Expr ***conjuncts) {
    e = normalise(n, e);
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) normalise_conjuncts(n, e->args[i], conjuncts);
    else if (!expr_is_true(e)) vec_push(*conjuncts, e);
}
