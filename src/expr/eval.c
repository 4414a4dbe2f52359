/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions. Operators follow LLVM's at every width up to 128 bits. Where LLVM has undefined behaviour or poison (a flag
   violated, division by zero, an oversized shift), a fault is reported instead of a value. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"
#include <stdlib.h>

static const char *const fault_texts[] = {
#define FAULT(name, text) text,
#include "expr/faults.def"
#undef FAULT
};

const char *fault_text(Fault f) {
    ensure((unsigned)f < FAULT_COUNT);
    return fault_texts[f];
}

/* ---- integers without bound, within 128 bits ---- */
static Fault int_divide(Op op, i128 a, i128 b, i128 *r) {
    if (b == 0) return FAULT_DIVISION;
    if (b == -1) { /* the most negative number has no opposite */
        if (op == OP_DIV && (u128)a == sign_bit(128)) return FAULT_RANGE;
        *r = op == OP_DIV ? -a : 0;
        return FAULT_NONE;
    }
    i128 quotient = a / b, remainder = a % b;
    if (remainder < 0) { /* Euclidean: the remainder is never negative */
        quotient += b > 0 ? -1 : 1;
        remainder += b > 0 ? b : -b;
    }
    *r = op == OP_DIV ? quotient : remainder;
    return FAULT_NONE;
}

static Fault int_arithmetic(Op op, i128 a, i128 b, u128 *bits) {
    i128 r = 0;
    bool overflow = false;
    Fault f = FAULT_NONE;
    switch (op) {
    case OP_ADD: overflow = __builtin_add_overflow(a, b, &r); break;
    case OP_SUB: overflow = __builtin_sub_overflow(a, b, &r); break;
    case OP_MUL: overflow = __builtin_mul_overflow(a, b, &r); break;
    default: f = int_divide(op, a, b, &r);
    }
    *bits = (u128)r;
    return overflow ? FAULT_RANGE : f;
}

/* ---- bit-vectors ---- */
static bool fits_signed(i128 v, unsigned width) { return signed_of((u128)v & mask_of(width), width) == v; }

/* Returns the wrapped result. *nsw and *nuw become true if the signed or unsigned result does not fit the width. */
static u128 bv_arithmetic(Op op, u128 a, u128 b, unsigned width, bool *nsw, bool *nuw) {
    i128 x = signed_of(a, width), y = signed_of(b, width), s = 0;
    u128 u = 0;
    switch (op) {
    case OP_ADD:
        *nsw = __builtin_add_overflow(x, y, &s);
        *nuw = __builtin_add_overflow(a, b, &u);
        break;
    case OP_SUB:
        *nsw = __builtin_sub_overflow(x, y, &s);
        *nuw = __builtin_sub_overflow(a, b, &u);
        break;
    default: *nsw = __builtin_mul_overflow(x, y, &s); *nuw = __builtin_mul_overflow(a, b, &u);
    }
    *nsw = *nsw || !fits_signed(s, width);
    *nuw = *nuw || u > mask_of(width);
    return u & mask_of(width);
}

static Fault bv_divide(const Expr *e, u128 a, u128 b, unsigned width, u128 *r) {
    if (b == 0) return FAULT_DIVISION;
    i128 x = signed_of(a, width), y = signed_of(b, width);
    u128 quotient, remainder;
    if (e->op == OP_UDIV || e->op == OP_UREM) {
        quotient = a / b;
        remainder = a % b;
    } else {
        if (y == -1 && a == sign_bit(width)) return FAULT_OVERFLOW; /* a fault of the remainder, too: its division overflows */
        quotient = (u128)(x / y);
        remainder = (u128)(x % y);
    }
    if ((e->flags & FLAG_EXACT) && remainder) return FAULT_OVERFLOW;
    *r = e->op == OP_UDIV || e->op == OP_SDIV ? quotient : remainder;
    return FAULT_NONE;
}

static u128 shift_right_signed(u128 a, unsigned by, unsigned width) { return (u128)(signed_of(a, width) >> by); }

static Fault bv_shift(const Expr *e, u128 a, u128 b, unsigned width, u128 *r) {
    if (b >= width) return FAULT_SHIFT;
    unsigned by = (unsigned)b;
    bool lost = false;
    if (e->op == OP_SHL) {
        *r = (a << by) & mask_of(width);
        lost = ((e->flags & FLAG_NUW) && *r >> by != a) ||
               ((e->flags & FLAG_NSW) && (shift_right_signed(*r, by, width) & mask_of(width)) != a);
    } else {
        *r = e->op == OP_LSHR ? a >> by : shift_right_signed(a, by, width);
        lost = (e->flags & FLAG_EXACT) && (a & mask_of(by));
    }
    return lost ? FAULT_OVERFLOW : FAULT_NONE;
}

static Fault arithmetic(const Expr *e, u128 a, u128 b, u128 *r) {
    bool nsw = false, nuw = false;
    unsigned width = e->sort->width;
    if (is_int(e->sort)) return int_arithmetic(e->op, (i128)a, (i128)b, r);
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        *r = bv_arithmetic(e->op, a, b, width, &nsw, &nuw);
        if (nsw && (e->flags & FLAG_EXACT)) return FAULT_BOUNDS;
        return (nsw && (e->flags & FLAG_NSW)) || (nuw && (e->flags & FLAG_NUW)) ? FAULT_OVERFLOW : FAULT_NONE;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return bv_divide(e, a, b, width, r);
    default: return bv_shift(e, a, b, width, r);
    }
}

static bool less(const Expr *e, u128 a, u128 b) {
    const Sort *s = e->args[0]->sort;
    if (e->op == OP_ULT || e->op == OP_ULE) return a < b;
    return is_int(s) ? (i128)a < (i128)b : signed_of(a, s->width) < signed_of(b, s->width);
}

static Fault convert(const Expr *e, u128 a, u128 *r) {
    unsigned width = is_bv(e->args[0]->sort) ? e->args[0]->sort->width : 1;
    switch (e->op) {
    case OP_EXTRACT: *r = a >> e->low; return FAULT_NONE;
    case OP_SEXT:
    case OP_SBV_TO_INT: *r = (u128)signed_of(a, width); return FAULT_NONE;
    default: *r = a; return e->op == OP_UBV_TO_INT && a >> 127 ? FAULT_RANGE : FAULT_NONE;
    }
}

/* Applies an operator whose operands and result are not arrays. */
static Fault apply_scalar(const Expr *e, const Value *args, u128 *r) {
    u128 a = args[0].bits, b = e->nargs > 1 ? args[1].bits : 0;
    switch (e->op) {
    case OP_NOT: *r = !a; return FAULT_NONE;
    case OP_BAND: *r = a & b; return FAULT_NONE;
    case OP_BOR: *r = a | b; return FAULT_NONE;
    case OP_BXOR: *r = a ^ b; return FAULT_NONE;
    case OP_ULT:
    case OP_SLT: *r = less(e, a, b); return FAULT_NONE;
    case OP_ULE:
    case OP_SLE: *r = !less(e, b, a); return FAULT_NONE;
    case OP_CONCAT: *r = a << e->args[1]->sort->width | b; return FAULT_NONE;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_DIV:
    case OP_MOD:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return arithmetic(e, a, b, r);
    case OP_ZEXT:
    case OP_SEXT:
    case OP_EXTRACT:
    case OP_BOOL_TO_BV:
    case OP_UBV_TO_INT:
    case OP_SBV_TO_INT:
    case OP_INT_TO_BV: return convert(e, a, r);
    default: return float_apply(e, args, r);
    }
}

static bool junction_value(const Expr *e, const Value *args) {
    for (unsigned i = 0; i < e->nargs; i++)
        if ((args[i].bits != 0) == (e->op == OP_OR)) return e->op == OP_OR;
    return e->op == OP_AND;
}

Fault expr_apply_op(Values *values, const Expr *e, const Value *args, Value *result) {
    Value r = {0};
    Fault f = FAULT_NONE;
    switch (e->op) {
    case OP_CONST: r.bits = e->value; break;
    case OP_EQ: r.bits = args[0].bits == args[1].bits && args[0].array == args[1].array; break;
    case OP_ITE: r = args[0].bits ? args[1] : args[2]; break;
    case OP_AND:
    case OP_OR: r.bits = junction_value(e, args); break;
    case OP_SELECT: r = array_select(args[0].array, args[1]); break;
    case OP_STORE: r.array = array_store(values, args[0].array, args[1], args[2]); break;
    case OP_CONST_ARRAY: r.array = array_constant(values, args[0]); break;
    case OP_SYMBOL:
    case OP_APPLY: die("expr_apply_op: the value of %s is not known here", e->symbol->name);
    default: f = apply_scalar(e, args, &r.bits);
    }
    if (is_bv(e->sort)) r.bits &= mask_of(e->sort->width);
    *result = r;
    return f;
}

/* ---- whole expressions ---- */
/* Keeps values of shared subterms, for expressions that are large as trees. */
typedef struct Memo {
    Map *index; /* node to its place in values */
    Value *values;
} Memo;
enum { SHARING_MATTERS = 500 };

static Fault eval(const EvalEnv *, Memo *, const Expr *, Value *);

static Fault eval_junction(const EvalEnv *env, Memo *memo, const Expr *e, Value *result) {
    for (unsigned i = 0; i < e->nargs; i++) {
        Fault f = eval(env, memo, e->args[i], result);
        if (f || (result->bits != 0) == (e->op == OP_OR)) return f;
    }
    return FAULT_NONE; /* the last operand's value is the result */
}

static Fault eval_application(const EvalEnv *env, Memo *memo, const Expr *e, Value *result) {
    Value few[8], *args = e->nargs <= 8 ? few : zeroed(e->nargs, sizeof *args);
    Fault f = FAULT_NONE;
    for (unsigned i = 0; i < e->nargs && !f; i++) f = eval(env, memo, e->args[i], &args[i]);
    if (!f) f = env->lookup(env->context, e->symbol, e->nargs, args, result);
    if (args != few) free(args);
    return f;
}

static Fault eval_strict(const EvalEnv *env, Memo *memo, const Expr *e, Value *result) {
    Value args[3];
    ensure(e->nargs <= 3);
    for (unsigned i = 0; i < e->nargs; i++) {
        Fault f = eval(env, memo, e->args[i], &args[i]);
        if (f) return f;
    }
    return expr_apply_op(env->values, e, args, result);
}

static Fault eval_node(const EvalEnv *env, Memo *memo, const Expr *e, Value *result) {
    Fault f;
    switch (e->op) {
    case OP_CONST: *result = (Value){.bits = e->value}; return FAULT_NONE;
    case OP_SYMBOL: return env->lookup(env->context, e->symbol, 0, NULL, result);
    case OP_APPLY: return eval_application(env, memo, e, result);
    case OP_ITE: f = eval(env, memo, e->args[0], result); return f ? f : eval(env, memo, e->args[result->bits ? 1 : 2], result);
    case OP_AND:
    case OP_OR: return eval_junction(env, memo, e, result);
    default: return eval_strict(env, memo, e, result);
    }
}

static Fault eval(const EvalEnv *env, Memo *memo, const Expr *e, Value *result) {
    uint64_t at;
    if (!memo || e->nargs == 0) return eval_node(env, memo, e, result);
    if (map_get(memo->index, map_key(e), &at)) {
        *result = memo->values[at];
        return FAULT_NONE;
    }
    Fault f = eval_node(env, memo, e, result);
    if (!f) { /* a fault ends the evaluation, so it is not kept */
        map_put(memo->index, map_key(e), vec_len(memo->values));
        vec_push(memo->values, *result);
    }
    return f;
}

Fault expr_eval(const EvalEnv *env, const Expr *e, Value *result) {
    if (e->tree < SHARING_MATTERS) return eval(env, NULL, e, result);
    Memo memo = {.index = map_new()};
    Fault f = eval(env, &memo, e, result);
    map_free(memo.index);
    vec_free(memo.values);
    return f;
}
