/* SPDX-License-Identifier: Apache-2.0 */
/* Simplifies Bool: conjunction and disjunction, negation, choice, equality. AND, OR and ITE are lazy: an operand that evaluation does
   not reach cannot fault. Therefore operands of AND and OR keep their order, and rules between these operators and ITE preserve faults. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"

/* ---- and, or ---- */
/* Collects the operands of an AND or OR: they are not nested, not units, and differ. `absorbed`: the last operand decides the result,
   and later operands are never reached. */
typedef struct Junction {
    Op op;
    const Expr **items;
    Map *seen; /* from 16 items on */
    bool absorbed, complementary, may_fault;
} Junction;

static bool junction_has(Junction *j, const Expr *e) {
    if (j->seen) return map_get(j->seen, map_key(e), NULL);
    for (size_t i = 0; i < vec_len(j->items); i++)
        if (j->items[i] == e) return true;
    return false;
}

static void junction_push(Junction *j, const Expr *e) {
    vec_push(j->items, e);
    j->may_fault |= e->may_fault;
    if (j->seen) {
        map_set(j->seen, e, e);
    } else if (vec_len(j->items) == 16) {
        j->seen = map_new();
        for (size_t i = 0; i < vec_len(j->items); i++) map_set(j->seen, j->items[i], j->items[i]);
    }
}

/* Returns true if one is the negation of the other, in the form that expr_not makes. */
static bool opposite(const Expr *a, const Expr *b) {
    if (a->op == OP_NOT || b->op == OP_NOT) return (a->op == OP_NOT && a->args[0] == b) || (b->op == OP_NOT && b->args[0] == a);
    bool strict = a->op == OP_ULT || a->op == OP_SLT, weak = a->op == OP_ULE || a->op == OP_SLE;
    Op turned = a->op == OP_ULT ? OP_ULE : a->op == OP_ULE ? OP_ULT : a->op == OP_SLT ? OP_SLE : OP_SLT;
    return (strict || weak) && b->op == turned && a->args[0] == b->args[1] && a->args[1] == b->args[0];
}

static bool has_complement(Exprs *p, Junction *j, const Expr *e) {
    if (e->op == OP_CONST) return false;
    if (j->seen) return junction_has(j, expr_not(p, e));
    for (size_t i = 0; i < vec_len(j->items); i++)
        if (opposite(j->items[i], e)) return true;
    return false;
}

static void junction_add(Exprs *p, Junction *j, const Expr *e) {
    if (j->absorbed) return;
    ensure(e->sort->kind == SORT_BOOL);
    if (e->op == j->op) {
        for (unsigned i = 0; i < e->nargs; i++) junction_add(p, j, e->args[i]);
        return;
    }
    if ((j->op == OP_AND ? expr_is_true(e) : expr_is_false(e)) || junction_has(j, e)) return;
    j->complementary |= has_complement(p, j, e);
    junction_push(j, e);
    j->absorbed = e->op == OP_CONST;
}

static const Expr *junction_result(Exprs *p, const Junction *j) {
    size_t n = vec_len(j->items);
    if ((j->absorbed || j->complementary) && !j->may_fault) return expr_bool(p, j->op == OP_OR);
    if (n == 0) return expr_bool(p, j->op == OP_AND);
    if (n == 1) return j->items[0];
    return pool_node(p, &(NodeKey){.op = j->op, .sort = sort_bool(p), .n = (unsigned)n, .args = j->items});
}

const Expr *make_junction(Exprs *p, Op op, unsigned n, const Expr *const *args) {
    Junction j = {.op = op};
    for (unsigned i = 0; i < n; i++) junction_add(p, &j, args[i]);
    const Expr *e = junction_result(p, &j);
    if (j.seen) map_free(j.seen);
    vec_free(j.items);
    return e;
}

/* ---- not ---- */
const Expr *simplify_not(Exprs *p, const Expr *a) {
    Op turned;
    switch (a->op) {
    case OP_NOT: return a->args[0];
    case OP_ULT: turned = OP_ULE; break;
    case OP_ULE: turned = OP_ULT; break;
    case OP_SLT: turned = OP_SLE; break;
    case OP_SLE: turned = OP_SLT; break;
    default: return NULL;
    }
    if (a->args[0]->may_fault && a->args[1]->may_fault)
        return NULL; /* the operands would change places, and so would the order of their faults */
    return expr_2(p, turned, a->args[1], a->args[0]);
}

/* ---- ite ---- */
static const Expr *ite_of_bools(Exprs *p, const Expr *c, const Expr *a, const Expr *b) {
    if (expr_is_true(a)) return expr_or(p, c, b);
    if (expr_is_false(b)) return expr_and(p, c, a);
    if (expr_is_false(a)) return expr_and(p, expr_not(p, c), b);
    if (expr_is_true(b)) return expr_or(p, expr_not(p, c), a);
    return NULL;
}

const Expr *simplify_ite(Exprs *p, const Expr *c, const Expr *a, const Expr *b) {
    if (c->op == OP_CONST) return c->value ? a : b;
    if (a == b && !c->may_fault) return a;
    if (c->op == OP_NOT) return expr_ite(p, c->args[0], b, a);
    if (a->op == OP_ITE && a->args[0] == c) return expr_ite(p, c, a->args[1], b);
    if (b->op == OP_ITE && b->args[0] == c) return expr_ite(p, c, a, b->args[2]);
    return a->sort->kind == SORT_BOOL ? ite_of_bools(p, c, a, b) : NULL;
}

/* ---- = ---- */
/* Rewrites (= (zext x) k) and (= (sext x) k) to a comparison in the narrow width, or to false if no x extends to k. */
static const Expr *eq_extended(Exprs *p, const Expr *a, const Expr *k) {
    const Expr *x = a->args[0], *narrow = expr_extract(p, k, 0, x->sort->width);
    if (expr_convert(p, a->op, narrow, k->sort->width) == k) return expr_eq(p, x, narrow);
    return x->may_fault ? NULL : expr_bool(p, false);
}

static const Expr *eq_constant(Exprs *p, const Expr *a, const Expr *k) {
    switch (a->op) {
    case OP_ZEXT:
    case OP_SEXT: return eq_extended(p, a, k);
    case OP_BOOL_TO_BV: return k->value ? a->args[0] : expr_not(p, a->args[0]);
    case OP_ITE:
        if (a->args[1]->op != OP_CONST && a->args[2]->op != OP_CONST) return NULL;
        return expr_ite(p, a->args[0], expr_eq(p, a->args[1], k), expr_eq(p, a->args[2], k));
    case OP_ADD: {
        if (a->flags || a->args[1]->op != OP_CONST) return NULL;
        const Expr *difference = expr_2(p, OP_SUB, k, a->args[1]);
        return difference->op == OP_CONST ? expr_eq(p, a->args[0], difference) : NULL;
    }
    default: return NULL;
    }
}

const Expr *simplify_eq(Exprs *p, const Expr *a, const Expr *b) {
    if (a == b) return a->may_fault ? NULL : expr_bool(p, true);
    if (b->op == OP_CONST && b->sort->kind == SORT_BOOL) return b->value ? a : expr_not(p, a);
    if (b->op == OP_CONST) return eq_constant(p, a, b);
    bool same_cast = a->op == b->op && (a->op == OP_ZEXT || a->op == OP_SEXT || a->op == OP_BOOL_TO_BV);
    if (same_cast && a->args[0]->sort == b->args[0]->sort) return expr_eq(p, a->args[0], b->args[0]);
    return NULL;
}
