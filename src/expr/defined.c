/* SPDX-License-Identifier: Apache-2.0 */
#include "expr/defined.h"

/* Returns that the result equals the result of the operation on twice as many bits. NULL: these are too many bits. */
static const Expr *fits(Exprs *p, Op op, Op extend, const Expr *a, const Expr *b) {
    unsigned wide = 2 * a->sort->width;
    if (wide > 128) return NULL;
    const Expr *narrow = expr_convert(p, extend, expr_2(p, op, a, b), wide);
    return expr_eq(p, narrow, expr_2(p, op, expr_convert(p, extend, a, wide), expr_convert(p, extend, b, wide)));
}

/* Returns the same for signed numbers as bounds: the operation on more bits does not overflow. */
static const Expr *in_bounds(Exprs *p, Op op, const Expr *a, const Expr *b) {
    unsigned width = a->sort->width, wide = 2 * width;
    if (wide > 128) return NULL;
    const Expr *exact = expr_2f(p, op, FLAG_NSW, expr_convert(p, OP_SEXT, a, wide), expr_convert(p, OP_SEXT, b, wide));
    u128 most = ((u128)1 << (width - 1)) - 1;
    return expr_and(p, expr_2(p, OP_SLE, expr_const(p, exact->sort, ~most), exact),
                    expr_2(p, OP_SLE, exact, expr_const(p, exact->sort, most)));
}

/* Returns that a + c is in the range of signed numbers, for a constant c of the given sign. */
static const Expr *adds_up(Exprs *p, const Expr *a, u128 c, bool negative) {
    u128 smallest = (u128)1 << (a->sort->width - 1);
    const Expr *bound = expr_const(p, a->sort, (negative ? smallest : smallest - 1) - c);
    return negative ? expr_2(p, OP_SLE, bound, a) : expr_2(p, OP_SLE, a, bound);
}

static bool is_negative(const Expr *c) { return c->value >> (c->sort->width - 1) & 1; }

/* ---- ranges from the form of expressions: for example, a widened index times the size of an element always fits ---- */

typedef struct Range {
    i128 lo, hi;
} Range;

enum { WIDEST = 64, DEEPEST = 12 };

static Range range_of_width(unsigned width) { return (Range){-((i128)1 << (width - 1)), ((i128)1 << (width - 1)) - 1}; }

static Range result(Op op, Range a, Range b) {
    if (op == OP_ADD) return (Range){a.lo + b.lo, a.hi + b.hi};
    if (op == OP_SUB) return (Range){a.lo - b.hi, a.hi - b.lo};
    i128 p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    Range r = {p[0], p[0]};
    for (unsigned i = 1; i < 4; i++) {
        if (p[i] < r.lo) r.lo = p[i];
        if (p[i] > r.hi) r.hi = p[i];
    }
    return r;
}

static bool is_within(Range r, Range in) { return in.lo <= r.lo && r.hi <= in.hi; }

/* Returns a range of a bit-vector of up to WIDEST bits, read as signed. */
static Range range_of(const Expr *e, unsigned depth) {
    Range whole = range_of_width(e->sort->width);
    if (expr_is_const(e)) {
        i128 v = (i128)e->value;
        if (v > whole.hi) v -= (i128)1 << e->sort->width;
        return (Range){v, v};
    }
    if (depth == DEEPEST) return whole;
    if (e->op == OP_SEXT) return range_of(e->args[0], depth + 1);
    if (e->op == OP_ZEXT) return (Range){0, ((i128)1 << e->args[0]->sort->width) - 1};
    if (e->op == OP_ITE) {
        Range a = range_of(e->args[1], depth + 1), b = range_of(e->args[2], depth + 1);
        return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    }
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL) return whole;
    Range r = result(e->op, range_of(e->args[0], depth + 1), range_of(e->args[1], depth + 1));
    return is_within(r, whole) ? r : whole;
}

static bool always_fits(Op op, const Expr *a, const Expr *b) {
    unsigned width = a->sort->width;
    return width <= WIDEST && is_within(result(op, range_of(a, 0), range_of(b, 0)), range_of_width(width));
}

/* Returns lo <= a <= hi, without bounds that always hold. */
static const Expr *lies_in(Exprs *p, const Expr *a, i128 lo, i128 hi) {
    Range whole = range_of_width(a->sort->width);
    const Expr *e = expr_bool(p, true);
    if (lo > whole.lo) e = expr_and(p, e, expr_2(p, OP_SLE, expr_const(p, a->sort, (u128)lo), a));
    if (hi < whole.hi) e = expr_and(p, e, expr_2(p, OP_SLE, a, expr_const(p, a->sort, (u128)hi)));
    return e;
}

/* Returns that a product by a constant or a square fits, as bounds of the operand. NULL for other products. */
static const Expr *product_fits(Exprs *p, const Expr *a, const Expr *b) {
    Range whole = range_of_width(a->sort->width);
    if (a == b) {
        i128 root = 0;
        for (i128 bit = (i128)1 << (a->sort->width / 2); bit; bit >>= 1)
            if ((root + bit) * (root + bit) <= whole.hi) root += bit;
        return lies_in(p, a, -root, root);
    }
    i128 c = expr_is_const(b) ? range_of(b, 0).lo : 0;
    if (!c) return NULL;
    return c > 0 ? lies_in(p, a, whole.lo / c, whole.hi / c) : lies_in(p, a, whole.hi / c, whole.lo / c);
}

static const Expr *signed_fits(Exprs *p, Op op, const Expr *a, const Expr *b) {
    if (always_fits(op, a, b)) return expr_bool(p, true);
    const Expr *bounds = op == OP_MUL && a->sort->width <= WIDEST ? product_fits(p, a, b) : NULL;
    if (bounds) return bounds;
    if (op == OP_ADD && expr_is_const(a)) return adds_up(p, b, a->value, is_negative(a));
    if (op == OP_ADD && expr_is_const(b)) return adds_up(p, a, b->value, is_negative(b));
    if (op == OP_SUB && expr_is_const(b) && b->value) return adds_up(p, a, -b->value, !is_negative(b));
    return in_bounds(p, op, a, b);
}

static const Expr *unsigned_fits(Exprs *p, Op op, const Expr *a, const Expr *b) {
    if (op == OP_ADD) return expr_2(p, OP_ULE, a, expr_2(p, OP_SUB, expr_const(p, a->sort, ~(u128)0), b));
    return op == OP_SUB ? expr_2(p, OP_ULE, b, a) : fits(p, op, OP_ZEXT, a, b);
}

static DefinedValue sum(Exprs *p, const Expr *e, const Expr *a, const Expr *b) {
    DefinedValue m = {expr_2(p, e->op, a, b), expr_bool(p, true)};
    const Expr *without = e->flags & FLAG_NSW ? signed_fits(p, e->op, a, b) : m.defined,
               *carry = e->flags & FLAG_NUW ? unsigned_fits(p, e->op, a, b) : m.defined;
    if (!without || !carry) return (DefinedValue){0};
    m.defined = expr_and(p, without, carry);
    return m;
}

static DefinedValue division(Exprs *p, const Expr *e, const Expr *a, const Expr *b) {
    const Expr *zero = expr_const(p, a->sort, 0), *ones = expr_const(p, a->sort, ~(u128)0);
    const Expr *least = expr_const(p, a->sort, (u128)1 << (a->sort->width - 1));
    const Expr *defined = expr_not(p, expr_eq(p, b, zero));
    if (e->op == OP_SDIV || e->op == OP_SREM)
        defined = expr_and(p, defined, expr_not(p, expr_and(p, expr_eq(p, a, least), expr_eq(p, b, ones))));
    const Expr *by = expr_ite(p, defined, b, expr_const(p, a->sort, 1));
    DefinedValue m = {expr_2(p, e->op, a, by), defined};
    if (e->flags & FLAG_EXACT) m.defined = expr_and(p, m.defined, expr_eq(p, expr_2(p, e->op == OP_SDIV ? OP_SREM : OP_UREM, a, by), zero));
    return m;
}

/* Defines shifts. The amount must be less than the width. With flags, the opposite shift must restore the operand. */
static DefinedValue shift(Exprs *p, const Expr *e, const Expr *a, const Expr *b) {
    const Expr *zero = expr_const(p, a->sort, 0), *little = expr_2(p, OP_ULT, b, expr_const(p, a->sort, a->sort->width));
    const Expr *by = expr_ite(p, little, b, zero);
    DefinedValue m = {expr_2(p, e->op, a, by), little};
    if (e->flags & FLAG_NSW) m.defined = expr_and(p, m.defined, expr_eq(p, expr_2(p, OP_ASHR, m.value, by), a));
    if (e->flags & FLAG_NUW) m.defined = expr_and(p, m.defined, expr_eq(p, expr_2(p, OP_LSHR, m.value, by), a));
    if (e->flags & FLAG_EXACT) m.defined = expr_and(p, m.defined, expr_eq(p, expr_2(p, OP_SHL, m.value, by), a));
    return m;
}

static DefinedValue choice(Exprs *p, const Expr *e) {
    DefinedValue c = expr_meaning(p, e->args[0]), a = expr_meaning(p, e->args[1]), b = expr_meaning(p, e->args[2]);
    if (!c.value || !a.value || !b.value) return (DefinedValue){0};
    return (DefinedValue){expr_ite(p, c.value, a.value, b.value), expr_and(p, c.defined, expr_ite(p, c.value, a.defined, b.defined))};
}

static DefinedValue rebuilt(Exprs *p, const Expr *e, const Expr *const *args) {
    DefinedValue m = {.defined = expr_bool(p, true)};
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return sum(p, e, args[0], args[1]);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shift(p, e, args[0], args[1]);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return division(p, e, args[0], args[1]);
    case OP_EXTRACT: m.value = expr_extract(p, args[0], e->low, e->sort->width); return m;
    case OP_ZEXT:
    case OP_SEXT: m.value = expr_convert(p, e->op, args[0], e->sort->width); return m;
    case OP_EQ:
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
    case OP_CONCAT:
    case OP_BOOL_TO_BV: m.value = expr_make(p, e->op, 0, e->nargs, args); return m;
    default: return (DefinedValue){0};
    }
}

/* For && and || it demands that all operands are defined, which is more than is needed. */
DefinedValue expr_meaning(Exprs *p, const Expr *e) {
    enum { MOST = 8 };
    if (!expr_may_fault(e)) return (DefinedValue){e, expr_bool(p, true)};
    if (e->op == OP_ITE) return choice(p, e);
    const Expr *args[MOST], *defined = expr_bool(p, true);
    if (e->nargs > MOST) return (DefinedValue){0};
    for (unsigned i = 0; i < e->nargs; i++) {
        DefinedValue m = expr_meaning(p, e->args[i]);
        if (!m.value) return (DefinedValue){0};
        args[i] = m.value;
        defined = expr_and(p, defined, m.defined);
    }
    DefinedValue m = rebuilt(p, e, args);
    if (m.value) m.defined = expr_and(p, defined, m.defined);
    return m;
}
