/* SPDX-License-Identifier: Apache-2.0 */
/* Constructs expressions: checks the sorts, folds constants, puts constants to the right of commutative operators, simplifies, and then
   makes a node. Simplification rules call these constructors again. So to build a result a second time gives the same expression, and
   printing and parsing round-trip. */
#include "expr/internal.h"
#include <string.h>

/* ---- leaves ---- */
const Expr *expr_const(Exprs *p, const Sort *sort, u128 value) {
    ensure(sort->kind != SORT_ARRAY);
    if (sort->kind == SORT_BV) value &= mask_of(sort->width);
    else if (sort->kind == SORT_BOOL) value = value != 0;
    return pool_node(p, &(NodeKey){.op = OP_CONST, .sort = sort, .value = value});
}

const Expr *expr_bool(Exprs *p, bool b) { return expr_const(p, sort_bool(p), b); }
const Expr *expr_bv(Exprs *p, unsigned width, u128 value) { return expr_const(p, sort_bv(p, width), value); }
const Expr *expr_int(Exprs *p, i128 value) { return expr_const(p, sort_int(p), (u128)value); }

const Expr *expr_symbol(Exprs *p, const Symbol *s) {
    ensure(s->kind != SYM_FUNCTION);
    return pool_node(p, &(NodeKey){.op = OP_SYMBOL, .sort = s->sort, .symbol = s});
}

/* ---- sorts of results ---- */
static const char *const op_names[] = {
#define OP(name, text, arity) text,
#include "expr/ops.def"
#undef OP
};
static const int op_arities[] = {
#define OP(name, text, arity) arity,
#include "expr/ops.def"
#undef OP
};

const char *op_text(Op op) {
    ensure((unsigned)op < OP_COUNT);
    return op_names[op];
}

_Noreturn static void sort_mismatch(Op op, unsigned n, const Expr *const *args) {
    Buf b = {0};
    for (unsigned i = 0; i < n; i++) {
        buf_char(&b, ' ');
        sort_print(&b, args[i]->sort);
    }
    die("expression operator %s does not take operands of sorts%s", op_names[op], buf_string(&b));
}

int op_arity(Op op) { return op_arities[op]; }

const Sort *op_result_sort(Exprs *p, Op op, const Expr *const *args) {
    const Sort *a = args[0]->sort, *b = op_arities[op] >= 2 ? args[1]->sort : NULL;
    switch (op) {
    case OP_EQ: return a == b ? sort_bool(p) : NULL;
    case OP_ITE: return a->kind == SORT_BOOL && b == args[2]->sort ? b : NULL;
    case OP_NOT: return a->kind == SORT_BOOL ? a : NULL;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return a == b && (is_bv(a) || is_int(a)) ? a : NULL;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR: return a == b && is_bv(a) ? a : NULL;
    case OP_DIV:
    case OP_MOD: return a == b && is_int(a) ? a : NULL;
    case OP_ULT:
    case OP_ULE: return a == b && is_bv(a) ? sort_bool(p) : NULL;
    case OP_SLT:
    case OP_SLE: return a == b && (is_bv(a) || is_int(a)) ? sort_bool(p) : NULL;
    case OP_CONCAT: return is_bv(a) && is_bv(b) && a->width + b->width <= 128 ? sort_bv(p, a->width + b->width) : NULL;
    case OP_BOOL_TO_BV: return a->kind == SORT_BOOL ? sort_bv(p, 1) : NULL;
    case OP_UBV_TO_INT:
    case OP_SBV_TO_INT: return is_bv(a) ? sort_int(p) : NULL;
    case OP_SELECT: return a->kind == SORT_ARRAY && a->index == b ? a->element : NULL;
    case OP_STORE: return a->kind == SORT_ARRAY && a->index == b && a->element == args[2]->sort ? a : NULL;
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
    case OP_FREM: return a == b && is_bv(a) && float_width(a->width) ? a : NULL;
    case OP_FNEG: return is_bv(a) && float_width(a->width) ? a : NULL;
    case OP_FEQ:
    case OP_FLT:
    case OP_FLE:
    case OP_FUNO: return a == b && is_bv(a) && float_width(a->width) ? sort_bool(p) : NULL;
    default: die("expr_make cannot build operator %s", op_names[op]);
    }
}

unsigned op_flags(Op op) {
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_SHL: return FLAG_NSW | FLAG_NUW;
    case OP_MUL: return FLAG_NSW | FLAG_NUW | FLAG_EXACT;
    case OP_UDIV:
    case OP_SDIV:
    case OP_LSHR:
    case OP_ASHR: return FLAG_EXACT;
    default: return 0;
    }
}

/* ---- folding ---- */
static bool foldable(const NodeKey *k) {
    if (k->op == OP_STORE || k->op == OP_SELECT || k->op == OP_CONST_ARRAY || k->op == OP_APPLY) return false;
    for (unsigned i = 0; i < k->n; i++)
        if (k->args[i]->op != OP_CONST) return false;
    return true;
}

/* Returns the constant that an operator on constants gives, or NULL if it faults. */
static const Expr *fold(Exprs *p, const NodeKey *k) {
    union {
        Expr e;
        unsigned char room[sizeof(Expr) + 3 * sizeof(const Expr *)];
    } node;
    Value values[3], result;
    ensure(k->n <= 3);
    memset(&node, 0, sizeof node);
    Expr *e = &node.e;
    e->op = k->op;
    e->flags = (uint8_t)k->flags;
    e->low = k->low;
    e->sort = k->sort;
    e->nargs = k->n;
    for (unsigned i = 0; i < k->n; i++) {
        e->args[i] = k->args[i];
        values[i] = (Value){.bits = k->args[i]->value};
    }
    return expr_apply_op(NULL, e, values, &result) ? NULL : expr_const(p, k->sort, result.bits);
}

static bool constant_goes_right(Op op) {
    return op == OP_EQ || op == OP_ADD || op == OP_MUL || op == OP_BAND || op == OP_BOR || op == OP_BXOR || op == OP_FEQ || op == OP_FUNO;
}

/* Folds, orders and simplifies a well-sorted node. */
static const Expr *finish(Exprs *p, NodeKey k) {
    const Expr *swapped[2], *e = foldable(&k) ? fold(p, &k) : NULL;
    if (e) return e;
    if (constant_goes_right(k.op) && k.args[0]->op == OP_CONST && k.args[1]->op != OP_CONST) {
        swapped[0] = k.args[1];
        swapped[1] = k.args[0];
        k.args = swapped;
    }
    e = simplify(p, &k);
    return e ? e : pool_node(p, &k);
}

/* ---- operators ---- */
const Expr *expr_make(Exprs *p, Op op, unsigned flags, unsigned n, const Expr *const *args) {
    ensure((unsigned)op < OP_COUNT);
    if (op == OP_AND || op == OP_OR) {
        ensure(!flags);
        return make_junction(p, op, n, args);
    }
    ensure(op_arities[op] > 0 && n == (unsigned)op_arities[op]);
    const Sort *sort = op_result_sort(p, op, args);
    if (!sort) sort_mismatch(op, n, args);
    ensure(!(flags & ~op_flags(op)));
    if (is_int(sort)) flags = 0; /* integers are unbounded: they do not overflow */
    return finish(p, (NodeKey){.op = op, .flags = flags, .sort = sort, .n = n, .args = args});
}

const Expr *expr_not(Exprs *p, const Expr *a) { return expr_1(p, OP_NOT, a); }
const Expr *expr_and(Exprs *p, const Expr *a, const Expr *b) { return expr_2(p, OP_AND, a, b); }
const Expr *expr_or(Exprs *p, const Expr *a, const Expr *b) { return expr_2(p, OP_OR, a, b); }
const Expr *expr_implies(Exprs *p, const Expr *a, const Expr *b) { return expr_2(p, OP_OR, expr_not(p, a), b); }
const Expr *expr_eq(Exprs *p, const Expr *a, const Expr *b) { return expr_2(p, OP_EQ, a, b); }

const Expr *expr_ite(Exprs *p, const Expr *c, const Expr *a, const Expr *b) {
    const Expr *args[] = {c, a, b};
    return expr_make(p, OP_ITE, 0, 3, args);
}

const Expr *expr_extract(Exprs *p, const Expr *a, unsigned low, unsigned width) {
    if (!is_bv(a->sort)) sort_mismatch(OP_EXTRACT, 1, &a);
    ensure(width >= 1 && low < a->sort->width && width <= a->sort->width - low);
    return finish(p, (NodeKey){.op = OP_EXTRACT, .low = low, .sort = sort_bv(p, width), .n = 1, .args = &a});
}

bool op_is_conversion(Op op) {
    return op == OP_ZEXT || op == OP_SEXT || op == OP_INT_TO_BV || op == OP_FP_TO_SBV || op == OP_FP_TO_UBV || op == OP_SBV_TO_FP ||
           op == OP_UBV_TO_FP || op == OP_FP_TO_FP;
}

bool op_converts(Op op, const Sort *from, unsigned width) {
    switch (op) {
    case OP_ZEXT:
    case OP_SEXT: return is_bv(from) && width >= from->width;
    case OP_INT_TO_BV: return is_int(from);
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV: return is_bv(from) && float_width(from->width);
    case OP_SBV_TO_FP:
    case OP_UBV_TO_FP: return is_bv(from) && float_width(width);
    case OP_FP_TO_FP: return is_bv(from) && float_width(from->width) && float_width(width);
    default: return false;
    }
}

const Expr *expr_convert(Exprs *p, Op op, const Expr *a, unsigned width) {
    ensure((unsigned)op < OP_COUNT);
    if (!op_converts(op, a->sort, width)) sort_mismatch(op, 1, &a);
    if ((op == OP_ZEXT || op == OP_SEXT || op == OP_FP_TO_FP) && width == a->sort->width) return a;
    return finish(p, (NodeKey){.op = op, .sort = sort_bv(p, width), .n = 1, .args = &a});
}

const Expr *expr_const_array(Exprs *p, const Sort *array, const Expr *value) {
    ensure(array->kind == SORT_ARRAY && array->element == value->sort);
    return finish(p, (NodeKey){.op = OP_CONST_ARRAY, .sort = array, .n = 1, .args = &value});
}

const Expr *expr_apply(Exprs *p, const Symbol *f, unsigned n, const Expr *const *args) {
    ensure(f->kind == SYM_FUNCTION && n == f->nparams);
    for (unsigned i = 0; i < n; i++) ensure(args[i]->sort == f->params[i]);
    return pool_node(p, &(NodeKey){.op = OP_APPLY, .sort = f->sort, .symbol = f, .n = n, .args = args});
}
