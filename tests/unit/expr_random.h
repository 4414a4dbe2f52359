/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions, built twice: by the constructors, and as raw nodes that no rule has touched. */
#pragma once
#include "base/vec.h"
#include "expr/expr.h"
#include <string.h>

typedef struct Pair {
    const Expr *raw, *simple;
} Pair;

typedef struct Random {
    Exprs *pool;
    Arena *arena;
    uint64_t state;
    const Sort *sorts[16];
    size_t nsorts;
    const Symbol **symbols; /* vec: variables */
    const Symbol *function; /* bv8, int → bv32 */
    Pair *made;             /* vec: to use again, so that equal operands occur */
    bool floats, arrays;    /* to generate */
} Random;

static uint64_t rnd(Random *r, uint64_t below) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (r->state >> 11) % below;
}

static u128 rnd_bits(Random *r, const Sort *s) {
    unsigned width = s->kind == SORT_BV ? s->width : 128;
    u128 top = (u128)1 << (width - 1), all = top | (top - 1), v;
    if (s->kind == SORT_BOOL) return rnd(r, 2);
    switch (rnd(r, 8)) {
    case 0: v = 0; break;
    case 1: v = 1; break;
    case 2: v = all; break;
    case 3: v = s->kind == SORT_INT ? -(u128)rnd(r, 20) : top; break;
    case 4: v = s->kind == SORT_INT ? (u128)1 << rnd(r, 126) : top - 1; break;
    case 5: v = (u128)rnd(r, 1u << 30) << 64 | rnd(r, 1u << 30) << 32 | rnd(r, UINT64_MAX); break;
    default: v = rnd(r, 40);
    }
    if (width == 32 && !rnd(r, 3)) { /* often a decent float */
        float f = (float)rnd(r, 2000) / 8 - 100;
        v = 0;
        memcpy(&v, &f, 4);
    } else if (width == 64 && !rnd(r, 3)) {
        double d = (double)rnd(r, 2000) / 8 - 100;
        v = 0;
        memcpy(&v, &d, 8);
    } else if (width == 80) { /* only patterns that are numbers: others are not the hardware's to define */
        long double l = (long double)rnd(r, 2000) / 8 - 100;
        v = 0;
        memcpy(&v, &l, 10);
    }
    return s->kind == SORT_INT ? v : v & all;
}

static const Expr *raw_node(Random *r, Op op, unsigned flags, unsigned low, const Sort *sort, const Symbol *symbol, unsigned n,
                            const Pair *args) {
    Expr *e = arena_alloc(r->arena, sizeof *e + n * sizeof(Expr *));
    e->op = op;
    e->flags = (uint8_t)flags;
    e->low = low;
    e->sort = sort;
    e->symbol = symbol;
    e->nargs = n;
    for (unsigned i = 0; i < n; i++) e->args[i] = args[i].raw;
    return e;
}

static Pair gen(Random *r, const Sort *sort, unsigned depth);

static Pair gen_op(Random *r, Op op, unsigned flags, const Sort *result, unsigned n, const Pair *args) {
    const Expr *simple[8];
    for (unsigned i = 0; i < n; i++) simple[i] = args[i].simple;
    return (Pair){raw_node(r, op, flags, 0, result, NULL, n, args), expr_make(r->pool, op, flags, n, simple)};
}

static Pair gen_convert(Random *r, Op op, const Sort *from, const Sort *to, unsigned depth) {
    Pair a = gen(r, from, depth);
    if (from == to && op != OP_FP_TO_SBV && op != OP_FP_TO_UBV && op != OP_SBV_TO_FP && op != OP_UBV_TO_FP) return a;
    return (Pair){raw_node(r, op, 0, 0, to, NULL, 1, &a), expr_convert(r->pool, op, a.simple, to->width)};
}

static Pair gen_const(Random *r, const Sort *s) {
    const Expr *e = expr_const(r->pool, s, rnd_bits(r, s));
    return (Pair){e, e};
}

static Pair gen_leaf(Random *r, const Sort *s) {
    const Symbol *candidates[16];
    size_t n = 0;
    if (s->kind == SORT_ARRAY && !rnd(r, 3)) {
        Pair v = gen_leaf(r, s->element);
        return (Pair){raw_node(r, OP_CONST_ARRAY, 0, 0, s, NULL, 1, &v), expr_const_array(r->pool, s, v.simple)};
    }
    for (size_t i = 0; i < vec_len(r->symbols); i++)
        if (r->symbols[i]->sort == s && n < 16) candidates[n++] = r->symbols[i];
    if (s->kind != SORT_ARRAY && (!n || rnd(r, 3) == 0)) return gen_const(r, s);
    const Expr *e = expr_symbol(r->pool, candidates[rnd(r, n)]);
    return (Pair){e, e};
}

static const Sort *rnd_sort(Random *r) {
    const Sort *s;
    do s = r->sorts[rnd(r, r->nsorts)];
    while ((s->kind == SORT_ARRAY && !r->arrays) || (s->kind == SORT_BV && s->width == 80 && !r->floats));
    return s;
}

static const Sort *rnd_bv(Random *r) {
    const Sort *s;
    do s = rnd_sort(r);
    while (s->kind != SORT_BV);
    return s;
}

static const Sort *rnd_float(Random *r) {
    static const unsigned widths[] = {32, 64, 80};
    return sort_bv(r->pool, widths[rnd(r, 3)]);
}

static Pair gen_2(Random *r, Op op, unsigned flags, const Sort *result, const Sort *operand, unsigned depth) {
    Pair args[2] = {gen(r, operand, depth), gen(r, operand, depth)};
    return gen_op(r, op, flags, result, 2, args);
}

static Pair gen_bool(Random *r, unsigned depth) {
    const Sort *b = sort_bool(r->pool), *s;
    static const Op compare[] = {OP_ULT, OP_ULE, OP_SLT, OP_SLE}, fcompare[] = {OP_FEQ, OP_FLT, OP_FLE, OP_FUNO};
    Pair args[4];
    unsigned n;
    switch (rnd(r, r->floats ? 6 : 5)) {
    case 0: args[0] = gen(r, b, depth); return gen_op(r, OP_NOT, 0, b, 1, args);
    case 1:
        n = 2 + (unsigned)rnd(r, 3);
        for (unsigned i = 0; i < n; i++) args[i] = gen(r, b, depth);
        return gen_op(r, rnd(r, 2) ? OP_AND : OP_OR, 0, b, n, args);
    case 2: return gen_2(r, OP_EQ, 0, b, rnd_sort(r), depth);
    case 3: return gen_2(r, compare[2 + rnd(r, 2)], 0, b, sort_int(r->pool), depth);
    case 4: return gen_2(r, compare[rnd(r, 4)], 0, b, rnd_bv(r), depth);
    default: s = rnd_float(r); return gen_2(r, fcompare[rnd(r, 4)], 0, b, s, depth);
    }
}

static Pair gen_int(Random *r, unsigned depth) {
    static const Op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD};
    const Sort *s = sort_int(r->pool);
    if (rnd(r, 3)) {
        Op op = ops[rnd(r, 5)];
        return gen_2(r, op, 0, s, s, depth);
    }
    Pair a = gen(r, rnd_bv(r), depth);
    return gen_op(r, rnd(r, 2) ? OP_UBV_TO_INT : OP_SBV_TO_INT, 0, s, 1, &a);
}

static Pair gen_float(Random *r, const Sort *s, unsigned depth) {
    static const Op ops[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FREM};
    const Sort *from;
    Pair a;
    switch (rnd(r, 5)) {
    case 0: a = gen(r, s, depth); return gen_op(r, OP_FNEG, 0, s, 1, &a);
    case 1: from = rnd_float(r); return gen_convert(r, OP_FP_TO_FP, from, s, depth);
    case 2: from = rnd_bv(r); return gen_convert(r, rnd(r, 2) ? OP_SBV_TO_FP : OP_UBV_TO_FP, from, s, depth);
    default: return gen_2(r, ops[rnd(r, 5)], 0, s, s, depth);
    }
}

static Pair gen_extract(Random *r, const Sort *s, unsigned depth) {
    const Sort *from = rnd_bv(r);
    if (from->width < s->width) return gen(r, s, depth);
    unsigned low = rnd(r, 2) ? 0 : (unsigned)rnd(r, from->width - s->width + 1);
    Pair a = gen(r, from, depth);
    return (Pair){raw_node(r, OP_EXTRACT, 0, low, s, NULL, 1, &a), expr_extract(r->pool, a.simple, low, s->width)};
}

static Pair gen_concat(Random *r, const Sort *s, unsigned depth) {
    if (s->width == 1) return gen(r, s, depth);
    unsigned low = s->width == 16 && rnd(r, 2) ? 8 : 1 + (unsigned)rnd(r, s->width - 1);
    Pair args[2] = {gen(r, sort_bv(r->pool, s->width - low), depth), gen(r, sort_bv(r->pool, low), depth)};
    return gen_op(r, OP_CONCAT, 0, s, 2, args);
}

static Pair gen_bv(Random *r, const Sort *s, unsigned depth) {
    static const struct {
        Op op;
        unsigned flags;
    } ops[] = {{OP_ADD, 3}, {OP_SUB, 3},  {OP_MUL, 3},  {OP_UDIV, 4}, {OP_SDIV, 4}, {OP_UREM, 0}, {OP_SREM, 0},
               {OP_SHL, 3}, {OP_LSHR, 4}, {OP_ASHR, 4}, {OP_BAND, 0}, {OP_BOR, 0},  {OP_BXOR, 0}};
    const Sort *from = rnd_bv(r);
    size_t i;
    Pair a;
    switch (rnd(r, r->floats ? 10 : 8)) {
    case 0: return gen_extract(r, s, depth);
    case 1:
        if (from->width > s->width) from = sort_bv(r->pool, 1 + (unsigned)rnd(r, s->width));
        return gen_convert(r, rnd(r, 2) ? OP_ZEXT : OP_SEXT, from, s, depth);
    case 2: return gen_concat(r, s, depth);
    case 3:
        if (s->width == 1) {
            a = gen(r, sort_bool(r->pool), depth);
            return gen_op(r, OP_BOOL_TO_BV, 0, s, 1, &a);
        }
        if (s->width == 32 && !rnd(r, 3)) {
            Pair args[2] = {gen(r, sort_bv(r->pool, 8), depth), gen(r, sort_int(r->pool), depth)};
            const Expr *simple[2] = {args[0].simple, args[1].simple};
            return (Pair){raw_node(r, OP_APPLY, 0, 0, s, r->function, 2, args), expr_apply(r->pool, r->function, 2, simple)};
        }
        return gen_convert(r, OP_INT_TO_BV, sort_int(r->pool), s, depth);
    case 8: from = rnd_float(r); return gen_convert(r, rnd(r, 2) ? OP_FP_TO_SBV : OP_FP_TO_UBV, from, s, depth);
    case 9:
        if (s->width == 32 || s->width == 64 || s->width == 80) return gen_float(r, s, depth);
        /* fall through */
    default:
        i = rnd(r, sizeof ops / sizeof *ops);
        return gen_2(r, ops[i].op, (unsigned)rnd(r, 8) & (rnd(r, 2) ? ops[i].flags : 0), s, s, depth);
    }
}

static Pair gen_array(Random *r, const Sort *s, unsigned depth) {
    Pair args[3] = {gen(r, s, depth), gen(r, s->index, depth), gen(r, s->element, depth)};
    return gen_op(r, OP_STORE, 0, s, 3, args);
}

static Pair gen_any(Random *r, const Sort *s, unsigned depth) {
    if (!rnd(r, 8)) {
        Pair args[3] = {gen(r, sort_bool(r->pool), depth), gen(r, s, depth), gen(r, s, depth)};
        return gen_op(r, OP_ITE, 0, s, 3, args);
    }
    for (size_t i = 0; r->arrays && i < r->nsorts; i++)
        if (r->sorts[i]->kind == SORT_ARRAY && r->sorts[i]->element == s && !rnd(r, 4)) {
            Pair args[2] = {gen(r, r->sorts[i], depth), gen(r, r->sorts[i]->index, depth)};
            return gen_op(r, OP_SELECT, 0, s, 2, args);
        }
    switch (s->kind) {
    case SORT_BOOL: return gen_bool(r, depth);
    case SORT_INT: return gen_int(r, depth);
    case SORT_ARRAY: return gen_array(r, s, depth);
    default: return gen_bv(r, s, depth);
    }
}

static Pair gen(Random *r, const Sort *s, unsigned depth) {
    size_t n = vec_len(r->made);
    for (int i = 0; n && i < 6; i++) {
        Pair old = r->made[rnd(r, n)];
        if (old.simple->sort == s && !rnd(r, 2)) return old;
    }
    Pair p = depth == 0 || !rnd(r, 5) ? gen_leaf(r, s) : gen_any(r, s, depth - 1);
    vec_push(r->made, p);
    return p;
}

static void random_init(Random *r, uint64_t seed, bool floats, bool arrays) {
    static const unsigned widths[] = {1, 8, 16, 32, 64, 80, 128};
    Exprs *p = exprs_new();
    *r = (Random){.pool = p, .arena = arena_new(), .state = seed * 0x9e3779b97f4a7c15u + 1, .floats = floats, .arrays = arrays};
    r->sorts[r->nsorts++] = sort_bool(p);
    r->sorts[r->nsorts++] = sort_int(p);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) r->sorts[r->nsorts++] = sort_bv(p, widths[i]);
    r->sorts[r->nsorts++] = sort_array(p, sort_bv(p, 8), sort_bv(p, 8));
    r->sorts[r->nsorts++] = sort_array(p, sort_int(p), sort_bv(p, 32));
    for (size_t i = 0; i < r->nsorts; i++)
        for (int k = 0; k < 2; k++) vec_push(r->symbols, symbol_new(p, SYM_VARIABLE, k ? "x" : "main::y", r->sorts[i]));
    const Sort *params[] = {sort_bv(p, 8), sort_int(p)};
    r->function = symbol_function(p, "f", sort_bv(p, 32), 2, params);
}

/* Bit-vectors of 1 to 4 bits, and Bool: few enough values to try them all. */
static inline void random_init_small(Random *r, uint64_t seed) {
    Exprs *p = exprs_new();
    *r = (Random){.pool = p, .arena = arena_new(), .state = seed * 0x9e3779b97f4a7c15u + 1};
    r->sorts[r->nsorts++] = sort_bool(p);
    for (unsigned w = 1; w <= 4; w++) r->sorts[r->nsorts++] = sort_bv(p, w);
    for (size_t i = 0; i < r->nsorts; i++)
        for (int k = 0; k < 2; k++) vec_push(r->symbols, symbol_new(p, SYM_VARIABLE, k ? "x" : "y", r->sorts[i]));
}

static void random_done(Random *r) {
    vec_free(r->symbols);
    vec_free(r->made);
    arena_free(r->arena);
    exprs_free(r->pool);
}

/* Values of all variables, by symbol id. */
typedef struct Assignment {
    Value values[64];
} Assignment;

static void assign(Random *r, Values *values, Assignment *a) {
    for (size_t i = 0; i < vec_len(r->symbols); i++) {
        const Symbol *s = r->symbols[i];
        if (s->sort->kind != SORT_ARRAY) {
            a->values[s->id] = (Value){.bits = rnd_bits(r, s->sort)};
            continue;
        }
        const ArrayValue *v = array_constant(values, (Value){.bits = rnd_bits(r, s->sort->element)});
        for (uint64_t n = rnd(r, 4); n > 0; n--)
            v = array_store(values, v, (Value){.bits = rnd_bits(r, s->sort->index)}, (Value){.bits = rnd_bits(r, s->sort->element)});
        a->values[s->id] = (Value){.array = v};
    }
}

static Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Assignment *a = context;
    *result = n ? (Value){.bits = (uint32_t)(args[0].bits * 31 + args[1].bits)} : a->values[s->id];
    return FAULT_NONE;
}
