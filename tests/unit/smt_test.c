/* SPDX-License-Identifier: Apache-2.0 */
/* The door to Z3: encoding agrees with evaluation, terms come back, cores and models are right, Horn clauses are solved. */
#include "base/clock.h"
#include "base/vec.h"
#include "smt/horn.h"
#include "smt/smt.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const Expr *variable(Exprs *x, const char *name, const Sort *s) { return expr_symbol(x, symbol_new(x, SYM_VARIABLE, name, s)); }

static void answers(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    Smt *s = smt_new(x);
    const Expr *a = variable(x, "a", sort_bv(x, 32)), *b = variable(x, "b", sort_bv(x, 32));
    const Expr *sum = expr_2(x, OP_ADD, a, b);
    /* a + b = b + a is valid; a + b > a is not (it wraps). */
    assert_true(smt_is_valid(s, x, 0, expr_eq(x, sum, expr_2(x, OP_ADD, b, a))));
    assert_int_equal(smt_check(s, 0, expr_and(x, expr_2(x, OP_ULT, expr_bv(x, 32, 0), b), expr_2(x, OP_ULT, sum, a))), SMT_SAT);
    const Expr *contradiction = expr_and(x, expr_2(x, OP_ULT, a, b), expr_2(x, OP_ULT, b, a));
    assert_int_equal(smt_check(s, 0, contradiction), SMT_UNSAT);
    uint64_t calls = smt_calls(s);
    assert_int_equal(smt_check(s, 0, contradiction), SMT_UNSAT);
    assert_int_equal(smt_calls(s), calls); /* remembered */
    smt_free(s);
    exprs_free(x);
}

/* A question that is too hard ends in time, whatever kind of solver is asked, and the next is answered as if nothing had been. */
static void time_limits(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    Smt *s = smt_new(x);
    const Expr *hard = expr_bool(x, true), *cubes[3];
    for (int i = 0; i < 3; i++) {
        const Expr *v = variable(x, "v", sort_int(x));
        cubes[i] = expr_2(x, OP_MUL, v, expr_2(x, OP_MUL, v, v));
        hard = expr_and(x, hard, expr_2(x, OP_SLT, expr_int(x, 1), v));
    }
    hard = expr_and(x, hard, expr_eq(x, expr_2(x, OP_ADD, cubes[0], cubes[1]), cubes[2]));
    for (int round = 0; round < 4; round++) {
        Solver *v = round % 2 ? solver_new(s, 100) : solver_small(s, 100);
        double start = clock_seconds();
        solver_push(v);
        solver_assert(v, hard);
        assert_int_equal(solver_check(v), SMT_UNKNOWN);
        assert_true(clock_seconds() - start < 5);
        solver_pop(v);
        solver_assert(v, expr_eq(x, cubes[0], expr_int(x, 8)));
        assert_int_equal(solver_check(v), SMT_SAT);
        solver_free(v);
    }
    smt_free(s);
    exprs_free(x);
}

static void models_and_cores(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    Smt *s = smt_new(x);
    Solver *v = solver_new(s, 0);
    const Expr *i = variable(x, "i", sort_int(x)), *m = variable(x, "m", sort_array(x, sort_int(x), sort_int(x)));
    solver_assert(v, expr_eq(x, expr_2(x, OP_SELECT, m, i), expr_int(x, -7)));
    solver_push(v);
    solver_assert(v, expr_eq(x, i, expr_int(x, 41)));
    assert_int_equal(solver_check(v), SMT_SAT);
    assert_ptr_equal(solver_value(v, expr_2(x, OP_ADD, i, expr_int(x, 1))), expr_int(x, 42));
    assert_ptr_equal(solver_value(v, expr_2(x, OP_SELECT, m, i)), expr_int(x, -7));
    assert_non_null(solver_value(v, m));
    solver_pop(v);
    const Expr *assumptions[] = {expr_2(x, OP_SLT, i, expr_int(x, 0)), expr_2(x, OP_SLT, i, expr_int(x, 9)),
                                 expr_2(x, OP_SLT, expr_int(x, 5), i)};
    bool needed[3];
    assert_int_equal(solver_check_assuming(v, 3, assumptions), SMT_UNSAT);
    solver_core(v, 3, needed);
    assert_true(needed[0] && !needed[1] && needed[2]);
    solver_free(v);
    smt_free(s);
    exprs_free(x);
}

/* Arrays of all sorts come back as stores on a constant array, with what was demanded of them. */
static void models_of_arrays(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    const Sort *scalars[] = {sort_int(x), sort_bool(x), sort_bv(x, 8)};
    for (unsigned n = 0; n < 27; n++) {
        const Sort *index = scalars[n % 3], *element = scalars[n / 3 % 3], *inner = sort_array(x, index, element);
        const Sort *sort = n / 9 == 0 ? inner : sort_array(x, scalars[n / 9], inner);
        Smt *s = smt_new(x);
        Solver *v = solver_new(s, 0);
        const Expr *a = variable(x, "a", sort), *i = variable(x, "i", index), *k = variable(x, "k", index);
        const Expr *row = n / 9 == 0 ? a : expr_2(x, OP_SELECT, a, expr_const(x, scalars[n / 9], 1));
        const Expr *at_i = expr_2(x, OP_SELECT, row, i), *at_k = expr_2(x, OP_SELECT, row, k);
        solver_assert(v, expr_eq(x, at_i, expr_const(x, element, 1)));
        solver_assert(v, expr_not(x, expr_eq(x, at_i, at_k)));
        assert_int_equal(solver_check(v), SMT_SAT);
        const Expr *all[] = {solver_value(v, a), solver_value(v, i), solver_value(v, k)};
        assert_true(all[0] && all[1] && all[2]);
        assert_true(all[0]->op == OP_STORE || all[0]->op == OP_CONST_ARRAY);
        const Expr *value = n / 9 == 0 ? all[0] : expr_2(x, OP_SELECT, all[0], expr_const(x, scalars[n / 9], 1));
        assert_ptr_equal(expr_2(x, OP_SELECT, value, all[1]), expr_const(x, element, 1));
        assert_ptr_not_equal(expr_2(x, OP_SELECT, value, all[2]), expr_const(x, element, 1));
        solver_free(v);
        smt_free(s);
    }
    exprs_free(x);
}

/* Random constant operands: Z3's value of every operator is ours. */
static void agrees_with_evaluation(void **state) {
    (void)state;
    static const Op ops[] = {OP_ADD,  OP_SUB, OP_MUL,  OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_SHL, OP_LSHR,  OP_ASHR,
                             OP_BAND, OP_BOR, OP_BXOR, OP_ULT,  OP_ULE,  OP_SLT,  OP_SLE,  OP_EQ,  OP_CONCAT};
    static const unsigned widths[] = {1, 8, 13, 32, 64};
    srand(7);
    for (int round = 0; round < 400; round++) {
        Exprs *x = exprs_new();
        Smt *s = smt_new(x);
        unsigned w = widths[rand() % 5];
        const Expr *a = variable(x, "a", sort_bv(x, w)), *b = variable(x, "b", sort_bv(x, w));
        const Expr *ca = expr_bv(x, w, (u128)rand() * (u128)rand()), *cb = expr_bv(x, w, (u128)(rand() % 40));
        Op op = ops[(size_t)rand() % (sizeof ops / sizeof *ops)];
        const Expr *folded = expr_2(x, op, ca, cb);
        if (expr_is_const(folded)) {
            const Expr *e = expr_eq(x, expr_2(x, op, a, b), folded);
            e = expr_and(x, expr_not(x, e), expr_and(x, expr_eq(x, a, ca), expr_eq(x, b, cb)));
            assert_int_equal(smt_check(s, 0, e), SMT_UNSAT);
        }
        smt_free(s);
        exprs_free(x);
    }
}

/* x := 0; while (*) x := x + 2;  never x = bad */
static Horn *counting(Exprs *x, Smt *s, int bad) {
    Horn *h = horn_new(s);
    const Sort *in = sort_int(x);
    const Symbol *loop = horn_predicate(h, "loop", 1, &in);
    const Expr *v = variable(x, "v", in), *next = expr_2(x, OP_ADD, v, expr_int(x, 2)), *zero = expr_int(x, 0);
    const Expr *at = expr_apply(x, loop, 1, &v);
    horn_clause(h, "start", expr_bool(x, true), 0, NULL, expr_apply(x, loop, 1, &zero));
    horn_clause(h, "body", expr_bool(x, true), 1, &at, expr_apply(x, loop, 1, &next));
    horn_clause(h, "error", expr_eq(x, v, expr_int(x, bad)), 1, &at, NULL);
    return h;
}

static void horn_solved(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    Smt *s = smt_new(x);
    Horn *h = counting(x, s, -4);
    assert_int_equal(horn_solve(h, (HornLimits){.milliseconds = 20000}), HORN_SOLVED);
    assert_int_equal(horn_check_solution(h, 0), SMT_UNSAT);
    const Expr *arg = expr_int(x, 2);
    assert_ptr_equal(horn_solution(h, symbol_find(x, "loop"), &arg), expr_bool(x, true));
    arg = expr_int(x, -4);
    assert_ptr_equal(horn_solution(h, symbol_find(x, "loop"), &arg), expr_bool(x, false));
    horn_free(h);
    smt_free(s);
    exprs_free(x);
}

static void horn_refuted(void **state) {
    (void)state;
    Exprs *x = exprs_new();
    Smt *s = smt_new(x);
    Horn *h = counting(x, s, 6);
    assert_int_equal(horn_solve(h, (HornLimits){.milliseconds = 20000}), HORN_REFUTED);
    size_t *path = horn_refutation(h, (HornLimits){.milliseconds = 20000});
    static const char *const expected[] = {"start", "body", "body", "body", "error"};
    assert_int_equal(vec_len(path), 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(horn_get(h, path[i])->name, expected[i]);
    vec_free(path);
    horn_free(h);
    smt_free(s);
    exprs_free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers),
                                       cmocka_unit_test(time_limits),
                                       cmocka_unit_test(models_and_cores),
                                       cmocka_unit_test(models_of_arrays),
                                       cmocka_unit_test(agrees_with_evaluation),
                                       cmocka_unit_test(horn_solved),
                                       cmocka_unit_test(horn_refuted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
