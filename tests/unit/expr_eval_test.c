/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of operators: against the compiler's own arithmetic exhaustively at 8 bits and at random above, and
   the corner cases one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "expr/expr.h"

static Exprs *pool;

/* One operator on two values of that width; no constructor, so nothing is folded before. */
static Fault apply_to(Op op, unsigned flags, unsigned width, const Sort *result, u128 a, u128 b, u128 *bits) {
    union {
        Expr e;
        unsigned char room[sizeof(Expr) + 2 * sizeof(Expr *)];
    } node;
    memset(&node, 0, sizeof node);
    Expr *e = &node.e;
    e->op = op;
    e->flags = (uint8_t)flags;
    e->nargs = op == OP_SEXT || op == OP_ZEXT || op >= OP_FP_TO_SBV || op == OP_FNEG ? 1 : 2;
    e->sort = result;
    const Sort *sort = width ? sort_bv(pool, width) : sort_int(pool);
    for (unsigned i = 0; i < e->nargs; i++) e->args[i] = expr_const(pool, sort, 0);
    Value args[2] = {{.bits = a}, {.bits = b}}, r;
    Fault f = expr_apply_op(NULL, e, args, &r);
    *bits = r.bits;
    return f;
}

static void expect(Op op, unsigned flags, unsigned width, u128 a, u128 b, Fault fault, u128 value) {
    u128 bits;
    bool compare = op == OP_ULT || op == OP_ULE || op == OP_SLT || op == OP_SLE || op == OP_EQ;
    const Sort *s = compare ? sort_bool(pool) : width ? sort_bv(pool, width) : sort_int(pool);
    Fault f = apply_to(op, flags, width, s, a, b, &bits);
    if (f != fault || (!f && bits != value))
        fail_msg("%s flags %u width %u on %llx %llx: %s, %llx", op_text(op), flags, width, (unsigned long long)a, (unsigned long long)b,
                 fault_text(f), (unsigned long long)bits);
}

static Fault out_if(bool fault) { return fault ? FAULT_OVERFLOW : FAULT_NONE; }

/* Every pair of bytes, computed in int. */
static void check_bytes(unsigned a, unsigned b) {
    int x = (int8_t)a, y = (int8_t)b, unsigned_difference = (int)a - (int)b;
    unsigned low = 0xff;
    expect(OP_ADD, 0, 8, a, b, FAULT_NONE, (a + b) & low);
    expect(OP_ADD, FLAG_NSW, 8, a, b, out_if((int8_t)(x + y) != x + y), (a + b) & low);
    expect(OP_ADD, FLAG_NUW, 8, a, b, out_if(a + b > low), (a + b) & low);
    expect(OP_SUB, FLAG_NSW, 8, a, b, out_if((int8_t)(x - y) != x - y), (a - b) & low);
    expect(OP_SUB, FLAG_NUW, 8, a, b, out_if(unsigned_difference < 0), (a - b) & low);
    expect(OP_MUL, FLAG_NSW, 8, a, b, out_if((int8_t)(x * y) != x * y), (a * b) & low);
    expect(OP_MUL, FLAG_NUW, 8, a, b, out_if(a * b > low), (a * b) & low);
    expect(OP_MUL, 0, 8, a, b, FAULT_NONE, (a * b) & low);
    expect(OP_ULT, 0, 8, a, b, FAULT_NONE, a < b);
    expect(OP_ULE, 0, 8, a, b, FAULT_NONE, a <= b);
    expect(OP_SLT, 0, 8, a, b, FAULT_NONE, x < y);
    expect(OP_SLE, 0, 8, a, b, FAULT_NONE, x <= y);
    if (b) {
        Fault f = out_if(x == -128 && y == -1);
        expect(OP_UDIV, 0, 8, a, b, FAULT_NONE, a / b);
        expect(OP_UREM, 0, 8, a, b, FAULT_NONE, a % b);
        expect(OP_UDIV, FLAG_EXACT, 8, a, b, out_if(a % b), a / b);
        expect(OP_SDIV, 0, 8, a, b, f, (unsigned)(x / y) & low);
        expect(OP_SREM, 0, 8, a, b, f, (unsigned)(x % y) & low);
        expect(OP_SDIV, FLAG_EXACT, 8, a, b, out_if(f || x % y), (unsigned)(x / y) & low);
    }
}

static void check_shifts(unsigned a, unsigned by) {
    int x = (int8_t)a;
    unsigned left = (a << by) & 0xff, lost = a & ((1u << by) - 1);
    expect(OP_SHL, 0, 8, a, by, FAULT_NONE, left);
    expect(OP_SHL, FLAG_NUW, 8, a, by, out_if(left >> by != a), left);
    expect(OP_SHL, FLAG_NSW, 8, a, by, out_if((int8_t)left >> by != x), left);
    expect(OP_LSHR, 0, 8, a, by, FAULT_NONE, a >> by);
    expect(OP_LSHR, FLAG_EXACT, 8, a, by, out_if(lost), a >> by);
    expect(OP_ASHR, 0, 8, a, by, FAULT_NONE, (unsigned)(x >> by) & 0xff);
    expect(OP_ASHR, FLAG_EXACT, 8, a, by, out_if(lost), (unsigned)(x >> by) & 0xff);
}

static void every_byte(void **state) {
    (void)state;
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) check_bytes(a, b);
        for (unsigned by = 0; by < 8; by++) check_shifts(a, by);
        expect(OP_SHL, 0, 8, a, 8, FAULT_SHIFT, 0);
        expect(OP_ASHR, 0, 8, a, 255, FAULT_SHIFT, 0);
        expect(OP_UREM, 0, 8, a, 0, FAULT_DIVISION, 0);
        expect(OP_SDIV, 0, 8, a, 0, FAULT_DIVISION, 0);
    }
}

static void wide(void **state) {
    (void)state;
    u128 all = ~(u128)0, top = (u128)1 << 127;
    expect(OP_ADD, 0, 128, all, 1, FAULT_NONE, 0);
    expect(OP_ADD, FLAG_NUW, 128, all, 1, FAULT_OVERFLOW, 0);
    expect(OP_ADD, FLAG_NSW, 128, all, 1, FAULT_NONE, 0);
    expect(OP_ADD, FLAG_NSW, 128, top - 1, 1, FAULT_OVERFLOW, 0);
    expect(OP_MUL, FLAG_NSW, 128, top, all, FAULT_OVERFLOW, 0);
    expect(OP_MUL, FLAG_NSW, 128, top - 1, all, FAULT_NONE, top + 1);
    expect(OP_MUL, FLAG_NUW, 128, (u128)1 << 64, (u128)1 << 64, FAULT_OVERFLOW, 0);
    expect(OP_MUL, 0, 128, (u128)1 << 64, (u128)1 << 64, FAULT_NONE, 0);
    expect(OP_SDIV, 0, 128, top, all, FAULT_OVERFLOW, 0);
    expect(OP_SREM, 0, 128, all, 3, FAULT_NONE, all);
    expect(OP_ASHR, 0, 128, top, 127, FAULT_NONE, all);
    expect(OP_SHL, FLAG_NSW, 128, all, 127, FAULT_NONE, top);
    expect(OP_MUL, FLAG_NSW, 64, (u128)1 << 62, 2, FAULT_OVERFLOW, 0);
    expect(OP_MUL, FLAG_NSW, 1, 1, 1, FAULT_OVERFLOW, 0);
    expect(OP_SLT, 0, 65, (u128)1 << 64, 0, FAULT_NONE, 1);
}

static void unbounded(void **state) {
    (void)state;
    u128 top = (u128)1 << 127;
    static const struct {
        int a, b, quotient, remainder;
    } euclid[] = {{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -3, 1}, {-7, -2, 4, 1}, {-6, 3, -2, 0}, {5, -1, -5, 0}};
    for (size_t i = 0; i < sizeof euclid / sizeof *euclid; i++) {
        u128 a = (u128)euclid[i].a, b = (u128)euclid[i].b;
        expect(OP_DIV, 0, 0, a, b, FAULT_NONE, (u128)euclid[i].quotient);
        expect(OP_MOD, 0, 0, a, b, FAULT_NONE, (u128)euclid[i].remainder);
    }
    expect(OP_MOD, 0, 0, 1, 0, FAULT_DIVISION, 0);
    expect(OP_ADD, 0, 0, top - 1, 1, FAULT_RANGE, 0);
    expect(OP_SUB, 0, 0, top, 1, FAULT_RANGE, 0);
    expect(OP_MUL, 0, 0, top - 1, 2, FAULT_RANGE, 0);
    expect(OP_DIV, 0, 0, top, ~(u128)0, FAULT_RANGE, 0);
    expect(OP_SLT, 0, 0, ~(u128)0, 0, FAULT_NONE, 1);
}

static u128 of_double(double d) {
    u128 bits = 0;
    memcpy(&bits, &d, 8);
    return bits;
}

static u128 of_float(float f) {
    u128 bits = 0;
    memcpy(&bits, &f, 4);
    return bits;
}

static void converts(Op op, unsigned from, unsigned to, u128 a, Fault fault, u128 value) {
    u128 bits;
    Fault f = apply_to(op, 0, from, sort_bv(pool, to), a, 0, &bits);
    if (f != fault || (!f && bits != value))
        fail_msg("%s %u to %u of %llx: %s, %llx", op_text(op), from, to, (unsigned long long)a, fault_text(f), (unsigned long long)bits);
}

static void floats(void **state) {
    (void)state;
    double nan = __builtin_nan(""), infinity = __builtin_inf();
    const Sort *truth = sort_bool(pool);
    u128 r;
    expect(OP_FADD, 0, 64, of_double(0.1), of_double(0.2), FAULT_NONE, of_double(0.1 + 0.2));
    expect(OP_FADD, 0, 32, of_float(0.1f), of_float(0.2f), FAULT_NONE, of_float(0.1f + 0.2f));
    expect(OP_FDIV, 0, 64, of_double(1), of_double(0), FAULT_NONE, of_double(infinity));
    expect(OP_FREM, 0, 64, of_double(-7.5), of_double(2), FAULT_NONE, of_double(-1.5));
    apply_to(OP_FEQ, 0, 64, truth, of_double(nan), of_double(nan), &r);
    assert_true(r == 0);
    apply_to(OP_FUNO, 0, 64, truth, of_double(nan), of_double(1), &r);
    assert_true(r == 1);
    apply_to(OP_FEQ, 0, 64, truth, of_double(0.0), of_double(-0.0), &r);
    assert_true(r == 1);
    apply_to(OP_FLT, 0, 32, truth, of_float(-1), of_float(1), &r);
    assert_true(r == 1);
    converts(OP_FNEG, 64, 64, of_double(0.0), FAULT_NONE, of_double(-0.0));
    converts(OP_FP_TO_SBV, 64, 32, of_double(-2147483648.9), FAULT_NONE, 0x80000000u);
    converts(OP_FP_TO_SBV, 64, 32, of_double(2147483648.0), FAULT_CONVERSION, 0);
    converts(OP_FP_TO_SBV, 64, 32, of_double(-2147483649.0), FAULT_CONVERSION, 0);
    converts(OP_FP_TO_UBV, 64, 8, of_double(-0.9), FAULT_NONE, 0);
    converts(OP_FP_TO_UBV, 64, 8, of_double(-1), FAULT_CONVERSION, 0);
    converts(OP_FP_TO_UBV, 64, 8, of_double(255.9), FAULT_NONE, 255);
    converts(OP_FP_TO_UBV, 64, 8, of_double(nan), FAULT_CONVERSION, 0);
    converts(OP_FP_TO_UBV, 32, 128, of_float(1e38f), FAULT_NONE, (u128)1e38f);
    converts(OP_SBV_TO_FP, 8, 64, 255, FAULT_NONE, of_double(-1));
    converts(OP_UBV_TO_FP, 8, 64, 255, FAULT_NONE, of_double(255));
    converts(OP_SBV_TO_FP, 64, 32, 16777217, FAULT_NONE, of_float(16777216));
    converts(OP_FP_TO_FP, 32, 64, of_float(0.1f), FAULT_NONE, of_double((double)0.1f));
    converts(OP_FP_TO_FP, 64, 32, of_double(0.1), FAULT_NONE, of_float(0.1f));
    converts(OP_FP_TO_FP, 64, 80, of_double(1), FAULT_NONE, (u128)0x3fff << 64 | (u128)1 << 63);
}

/* ---- laziness ---- */
static Fault unknown(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    (void)s, (void)n, (void)args;
    ++*(int *)context;
    *result = (Value){0};
    return FAULT_NONE;
}

static void what_is_not_reached_is_not_evaluated(void **state) {
    (void)state;
    const Expr *zero = expr_symbol(pool, symbol_new(pool, SYM_VARIABLE, "zero", sort_bv(pool, 32)));
    const Expr *one = expr_bv(pool, 32, 1), *bad = expr_2(pool, OP_UDIV, one, zero);
    const Expr *is_zero = expr_eq(pool, zero, expr_bv(pool, 32, 0)), *uses_bad = expr_eq(pool, bad, one);
    int lookups = 0;
    EvalEnv env = {.lookup = unknown, .context = &lookups};
    Value v;
    assert_int_equal(expr_eval(&env, bad, &v), FAULT_DIVISION);
    assert_int_equal(expr_eval(&env, expr_ite(pool, is_zero, one, bad), &v), FAULT_NONE);
    assert_true(v.bits == 1);
    assert_int_equal(expr_eval(&env, expr_ite(pool, is_zero, bad, one), &v), FAULT_DIVISION);
    assert_int_equal(expr_eval(&env, expr_or(pool, is_zero, uses_bad), &v), FAULT_NONE);
    assert_true(v.bits == 1);
    assert_int_equal(expr_eval(&env, expr_or(pool, uses_bad, is_zero), &v), FAULT_DIVISION);
    assert_int_equal(expr_eval(&env, expr_and(pool, expr_not(pool, is_zero), uses_bad), &v), FAULT_NONE);
    assert_true(v.bits == 0);
}

/* A tree of 2^60 nodes: only with sharing does this end. */
static void shared_nodes_are_evaluated_once(void **state) {
    (void)state;
    const Expr *e = expr_symbol(pool, symbol_new(pool, SYM_VARIABLE, "w", sort_bv(pool, 32)));
    for (int i = 0; i < 60; i++) e = expr_2(pool, OP_ADD, expr_2(pool, OP_MUL, e, e), e);
    int lookups = 0;
    EvalEnv env = {.lookup = unknown, .context = &lookups};
    Value v;
    assert_int_equal(expr_eval(&env, e, &v), FAULT_NONE);
    assert_true(v.bits == 0 && lookups < 10);
}

static int make_pool(void **state) {
    (void)state;
    pool = exprs_new();
    return 0;
}

static int free_pool(void **state) {
    (void)state;
    exprs_free(pool);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte),
        cmocka_unit_test(wide),
        cmocka_unit_test(unbounded),
        cmocka_unit_test(floats),
        cmocka_unit_test(what_is_not_reached_is_not_evaluated),
        cmocka_unit_test(shared_nodes_are_evaluated_once),
    };
    return cmocka_run_group_tests(tests, make_pool, free_pool);
}
