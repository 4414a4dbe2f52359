/* SPDX-License-Identifier: Apache-2.0 */
/* Simplifies changes of width and conversions: casts of casts become one cast. */
#include "expr/internal.h"

static unsigned width_of(const Expr *e) { return e->sort->width; }

/* Merges extensions. Nodes of ZEXT and SEXT are strictly wider than their operand, so the sign bit of a ZEXT is 0. */
static const Expr *rule_extend(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0];
    if (a->op == OP_ZEXT) return expr_convert(p, OP_ZEXT, a->args[0], k->sort->width);
    if (a->op == OP_SEXT && k->op == OP_SEXT) return expr_convert(p, OP_SEXT, a->args[0], k->sort->width);
    return NULL;
}

static const Expr *extract_extended(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *x = a->args[0];
    unsigned width = k->sort->width;
    if (k->low + width <= width_of(x)) return expr_extract(p, x, k->low, width);
    if (k->low == 0) return expr_convert(p, a->op, x, width);
    if (a->op == OP_ZEXT && k->low >= width_of(x)) return x->may_fault ? NULL : expr_bv(p, width, 0);
    return NULL;
}

static const Expr *extract_concatenated(Exprs *p, const NodeKey *k) {
    const Expr *high = k->args[0]->args[0], *low = k->args[0]->args[1];
    unsigned width = k->sort->width;
    if (k->low + width <= width_of(low)) return high->may_fault ? NULL : expr_extract(p, low, k->low, width);
    if (k->low >= width_of(low)) return low->may_fault ? NULL : expr_extract(p, high, k->low - width_of(low), width);
    return NULL;
}

static const Expr *rule_extract(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0];
    if (k->sort == a->sort) return a;
    switch (a->op) {
    case OP_EXTRACT: return expr_extract(p, a->args[0], a->low + k->low, k->sort->width);
    case OP_ZEXT:
    case OP_SEXT: return extract_extended(p, k);
    case OP_CONCAT: return extract_concatenated(p, k);
    default: return NULL;
    }
}

/* Merges adjacent pieces of one value. High zeros are a zero extension. */
static const Expr *rule_concat(Exprs *p, const NodeKey *k) {
    const Expr *high = k->args[0], *low = k->args[1];
    if (is_value(high, 0)) return expr_convert(p, OP_ZEXT, low, k->sort->width);
    if (high->op == OP_EXTRACT && low->op == OP_EXTRACT && high->args[0] == low->args[0] && high->low == low->low + width_of(low))
        return expr_extract(p, low->args[0], low->low, k->sort->width);
    return NULL;
}

static const Expr *rule_to_int(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0];
    if (a->op == OP_ZEXT) return expr_1(p, OP_UBV_TO_INT, a->args[0]);
    if (a->op == OP_SEXT && k->op == OP_SBV_TO_INT) return expr_1(p, OP_SBV_TO_INT, a->args[0]);
    return NULL;
}

static const Expr *rule_from_int(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0];
    unsigned width = k->sort->width;
    if (a->op != OP_UBV_TO_INT && a->op != OP_SBV_TO_INT) return NULL;
    const Expr *x = a->args[0];
    if (width <= width_of(x)) return expr_extract(p, x, 0, width);
    return expr_convert(p, a->op == OP_UBV_TO_INT ? OP_ZEXT : OP_SEXT, x, width);
}

static const Expr *rule_from_bool(const NodeKey *k) {
    const Expr *a = k->args[0];
    return a->op == OP_EQ && width_of(a->args[0]) == 1 && is_value(a->args[1], 1) ? a->args[0] : NULL;
}

const Expr *simplify_width(Exprs *p, const NodeKey *k) {
    switch (k->op) {
    case OP_ZEXT:
    case OP_SEXT: return rule_extend(p, k);
    case OP_EXTRACT: return rule_extract(p, k);
    case OP_CONCAT: return rule_concat(p, k);
    case OP_UBV_TO_INT:
    case OP_SBV_TO_INT: return rule_to_int(p, k);
    case OP_INT_TO_BV: return rule_from_int(p, k);
    case OP_BOOL_TO_BV: return rule_from_bool(k);
    default: return NULL;
    }
}
