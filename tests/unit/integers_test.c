/* SPDX-License-Identifier: Apache-2.0 */
/* The integer reading of bit-vector formulas: on random formulas and values, where the bit-vector one does not fault, both
   have the same truth. */
#include "base/vec.h"
#include "transform/integers.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { VARIABLES = 8 };

typedef struct World {
    Program *program;
    Variable *variables[VARIABLES];
    u128 values[VARIABLES];
} World;

static unsigned pick(unsigned n) { return (unsigned)rand() % n; }

static const Expr *bv(World *w, unsigned width, unsigned depth);

static const Expr *condition(World *w, unsigned depth) {
    static const Op compare[] = {OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    static const unsigned widths[] = {8, 16, 32, 64};
    Exprs *x = w->program->exprs;
    if (depth && !pick(4)) {
        const Expr *a = condition(w, depth - 1), *b = condition(w, depth - 1);
        return pick(3) ? (pick(2) ? expr_and(x, a, b) : expr_or(x, a, b)) : expr_not(x, a);
    }
    unsigned width = widths[pick(4)];
    return expr_2(x, compare[pick(5)], bv(w, width, depth), bv(w, width, depth));
}

static const Expr *leaf(World *w, unsigned width) {
    Exprs *x = w->program->exprs;
    unsigned i = pick(VARIABLES);
    if (w->variables[i]->sort->width == width) return variable_expr(w->program, w->variables[i]);
    return expr_bv(x, width, pick(3) ? (u128)pick(5) : (u128)0 - (u128)pick(300));
}

static const Expr *bv(World *w, unsigned width, unsigned depth) {
    static const Op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_ADD, OP_SUB};
    Exprs *x = w->program->exprs;
    if (!depth) return leaf(w, width);
    switch (pick(10)) {
    case 0: return leaf(w, width);
    case 1: return width > 8 ? expr_convert(x, pick(2) ? OP_ZEXT : OP_SEXT, bv(w, width / 2, depth - 1), width) : leaf(w, width);
    case 2: return width < 64 ? expr_extract(x, bv(w, width * 2, depth - 1), pick(2) ? width : 0, width) : leaf(w, width);
    case 3: return expr_ite(x, condition(w, depth - 1), bv(w, width, depth - 1), bv(w, width, depth - 1));
    case 4: return expr_2(x, pick(2) ? OP_SHL : pick(2) ? OP_LSHR : OP_ASHR, bv(w, width, depth - 1), expr_bv(x, width, pick(width)));
    case 5: return expr_2(x, OP_BAND, bv(w, width, depth - 1), expr_bv(x, width, ((u128)1 << pick(width)) - pick(2)));
    case 6: return expr_2(x, OP_BXOR, bv(w, width, depth - 1), expr_bv(x, width, ~(u128)0));
    default: {
        Op op = ops[pick(9)];
        unsigned flags = op == OP_ADD || op == OP_SUB || op == OP_MUL ? (pick(2) ? FLAG_NSW : 0) : 0;
        return expr_2f(x, op, flags, bv(w, width, depth - 1), bv(w, width, depth - 1));
    }
    }
}

static Fault lookup_bits(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const World *w = context;
    (void)n, (void)args;
    const Variable *v = s->user;
    *result = (Value){.bits = w->values[v->index]};
    return FAULT_NONE;
}

static Fault lookup_integers(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const World *w = context;
    (void)n, (void)args;
    const Variable *v = s->user;
    i128 value = (i128)w->values[v->index];
    if (v->is_signed && value >= (i128)1 << (v->sort->width - 1)) value -= (i128)1 << v->sort->width;
    *result = (Value){.bits = (u128)value};
    return FAULT_NONE;
}

static void agrees(void **state) {
    (void)state;
    unsigned compared = 0;
    srand(11);
    for (unsigned round = 0; round < 300; round++) {
        World w = {.program = program_new(64)};
        Values *values = values_new();
        for (unsigned i = 0; i < VARIABLES; i++) {
            unsigned width = 8u << i / 2;
            w.variables[i] = program_global(w.program, "x", sort_bv(w.program->exprs, width), NULL);
            variable_set_signed(w.program, w.variables[i], i % 2);
        }
        Integers *n = integers_new(w.program);
        for (unsigned k = 0; k < 60; k++) {
            const Expr *e = condition(&w, 4), *f = integers_formula(n, e);
            for (unsigned again = 0; again < 8 && f; again++) {
                for (unsigned i = 0; i < VARIABLES; i++) {
                    unsigned width = w.variables[i]->sort->width;
                    u128 v = pick(2) ? (u128)pick(4) : pick(2) ? (u128)0 - (u128)pick(4) : (u128)rand() * (u128)rand();
                    w.values[i] = width == 128 ? v : v & (((u128)1 << width) - 1);
                }
                Value a, b;
                if (expr_eval(&(EvalEnv){values, lookup_bits, &w}, e, &a) != FAULT_NONE) continue;
                if (expr_eval(&(EvalEnv){values, lookup_integers, &w}, f, &b) != FAULT_NONE) continue;
                compared++;
                assert_int_equal((int)a.bits, (int)b.bits);
            }
        }
        integers_free(n);
        values_free(values);
        program_free(w.program);
    }
    assert_true(compared > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
