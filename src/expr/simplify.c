/* SPDX-License-Identifier: Apache-2.0 */
/* Simplifies arithmetic, comparisons and arrays by local rules, and calls the other rule files. A rule drops an operand only if the
   operand cannot fault. Rewriting terminates, since every rule leads to a smaller expression or nearer to the canonical form: no
   subtraction of a constant, constants to the right. */
#include "expr/internal.h"

static const Expr *zero(Exprs *p, const Sort *sort) { return expr_const(p, sort, 0); }

/* Returns value, or NULL if the operand that it loses may fault. */
static const Expr *unless_fault(const Expr *lost, const Expr *value) { return lost->may_fault ? NULL : value; }

/* Simplifies (x + c) + d to the sum with one constant. */
static const Expr *merge_added(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *d = k->args[1];
    if (k->flags || a->op != OP_ADD || a->flags || d->op != OP_CONST || a->args[1]->op != OP_CONST) return NULL;
    const Expr *sum = expr_2(p, OP_ADD, a->args[1], d);
    return sum->op == OP_CONST ? expr_2(p, OP_ADD, a->args[0], sum) : NULL;
}

static const Expr *rule_add(Exprs *p, const NodeKey *k) { return is_value(k->args[1], 0) ? k->args[0] : merge_added(p, k); }

/* Rewrites x - c to x + (-c), with the same faults: always without flags, and with nsw unless -c overflows. */
static const Expr *add_negated(Exprs *p, const NodeKey *k) {
    const Expr *c = k->args[1];
    if (c->op != OP_CONST || (k->flags & FLAG_NUW)) return NULL;
    if (is_int(k->sort) ? c->value == sign_bit(128) : k->flags && c->value == sign_bit(k->sort->width)) return NULL;
    return expr_2f(p, OP_ADD, k->flags, k->args[0], expr_const(p, k->sort, -c->value));
}

static const Expr *rule_sub(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1];
    if (is_value(b, 0)) return a;
    if (a == b) return unless_fault(a, zero(p, k->sort));
    return add_negated(p, k);
}

/* Returns true if the second operand is 1. A signed 1 of one bit is -1, so then rules for a factor or divisor of one do not hold. */
static bool is_one(const NodeKey *k, bool as_signed) {
    return is_value(k->args[1], 1) && !(as_signed && is_bv(k->sort) && k->sort->width == 1);
}

static const Expr *rule_mul(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1];
    if (is_one(k, k->flags & FLAG_NSW)) return a;
    return is_value(b, 0) ? unless_fault(a, zero(p, k->sort)) : NULL;
}

static const Expr *rule_quotient(const NodeKey *k) { return is_one(k, k->op == OP_SDIV) ? k->args[0] : NULL; }

static const Expr *rule_remainder(Exprs *p, const NodeKey *k) {
    return is_one(k, k->op == OP_SREM) ? unless_fault(k->args[0], zero(p, k->sort)) : NULL;
}

static const Expr *rule_shift(const NodeKey *k) { return is_value(k->args[1], 0) ? k->args[0] : NULL; }

/* ---- bits ---- */
/* Rewrites operators on Booleans as bits to operators on Bool, unless laziness would hide a fault. */
static const Expr *rule_truth(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1];
    if (a->op != OP_BOOL_TO_BV) return NULL;
    const Expr *x = a->args[0], *y;
    if (b->op == OP_BOOL_TO_BV) y = b->args[0];
    else if (b->op == OP_CONST) y = expr_bool(p, b->value);
    else return NULL;
    if (k->op == OP_BXOR) return expr_1(p, OP_BOOL_TO_BV, expr_not(p, expr_eq(p, x, y)));
    return unless_fault(y, expr_1(p, OP_BOOL_TO_BV, expr_2(p, k->op == OP_BAND ? OP_AND : OP_OR, x, y)));
}

static const Expr *rule_bits(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1], *e = NULL;
    bool none = is_value(b, 0), all = is_ones(b);
    if (k->op == OP_BXOR) {
        if (none) return a;
        e = a == b ? unless_fault(a, zero(p, k->sort)) : NULL;
    } else {
        if (a == b || (k->op == OP_BAND ? all : none)) return a;
        e = (k->op == OP_BAND ? none : all) ? unless_fault(a, b) : NULL;
    }
    return e ? e : rule_truth(p, k);
}

/* ---- comparisons ---- */
static bool is_least(const Expr *e, bool as_signed) { return is_bv(e->sort) && is_value(e, as_signed ? sign_bit(e->sort->width) : 0); }
static bool is_greatest(const Expr *e, bool as_signed) {
    return is_bv(e->sort) && is_value(e, mask_of(e->sort->width) ^ (as_signed ? sign_bit(e->sort->width) : 0));
}

static const Expr *rule_less(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1];
    bool as_signed = k->op == OP_SLT, unsigned_bv = k->op == OP_ULT;
    if (a == b || is_least(b, as_signed)) return unless_fault(a, expr_bool(p, false));
    if (is_greatest(a, as_signed)) return unless_fault(b, expr_bool(p, false));
    if (unsigned_bv && is_value(b, 1)) return expr_eq(p, a, zero(p, a->sort));
    if (unsigned_bv && is_value(a, 0)) return expr_not(p, expr_eq(p, b, a));
    return NULL;
}

static const Expr *rule_less_equal(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *b = k->args[1];
    bool as_signed = k->op == OP_SLE, unsigned_bv = k->op == OP_ULE;
    if (a == b || is_greatest(b, as_signed)) return unless_fault(a, expr_bool(p, true));
    if (is_least(a, as_signed)) return unless_fault(b, expr_bool(p, true));
    if (unsigned_bv && is_value(b, 0)) return expr_eq(p, a, b);
    if (unsigned_bv && is_value(a, 1)) return expr_not(p, expr_eq(p, b, zero(p, b->sort)));
    return NULL;
}

/* ---- arrays ---- */
static bool distinct(const Expr *a, const Expr *b) { return a != b && a->op == OP_CONST && b->op == OP_CONST; }

static const Expr *rule_select(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *i = k->args[1];
    if (a->op == OP_CONST_ARRAY) return unless_fault(i, a->args[0]);
    if (a->op != OP_STORE) return NULL;
    if (a->args[1] == i) return a->args[0]->may_fault ? NULL : unless_fault(i, a->args[2]);
    return distinct(a->args[1], i) ? unless_fault(a->args[2], expr_2(p, OP_SELECT, a->args[0], i)) : NULL;
}

static const Expr *rule_store(Exprs *p, const NodeKey *k) {
    const Expr *a = k->args[0], *i = k->args[1], *v = k->args[2];
    if (v->op == OP_SELECT && v->args[0] == a && v->args[1] == i) return unless_fault(i, a);
    if (a->op == OP_CONST_ARRAY && a->args[0] == v) return unless_fault(i, a);
    if (a->op != OP_STORE || a->args[1] != i || a->args[2]->may_fault) return NULL;
    const Expr *args[] = {a->args[0], i, v};
    return expr_make(p, OP_STORE, 0, 3, args);
}

const Expr *simplify(Exprs *p, const NodeKey *k) {
    switch (k->op) {
    case OP_EQ: return simplify_eq(p, k->args[0], k->args[1]);
    case OP_ITE: return simplify_ite(p, k->args[0], k->args[1], k->args[2]);
    case OP_NOT: return simplify_not(p, k->args[0]);
    case OP_ADD: return rule_add(p, k);
    case OP_SUB: return rule_sub(p, k);
    case OP_MUL: return rule_mul(p, k);
    case OP_UDIV:
    case OP_SDIV:
    case OP_DIV: return rule_quotient(k);
    case OP_UREM:
    case OP_SREM:
    case OP_MOD: return rule_remainder(p, k);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return rule_shift(k);
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR: return rule_bits(p, k);
    case OP_ULT:
    case OP_SLT: return rule_less(p, k);
    case OP_ULE:
    case OP_SLE: return rule_less_equal(p, k);
    case OP_SELECT: return rule_select(p, k);
    case OP_STORE: return rule_store(p, k);
    case OP_FNEG: return k->args[0]->op == OP_FNEG ? k->args[0]->args[0] : NULL;
    default: return simplify_width(p, k);
    }
}
