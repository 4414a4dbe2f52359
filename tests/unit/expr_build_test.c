/* SPDX-License-Identifier: Apache-2.0 */
/* The pool and the simplification rules: text in, what the constructors make of it out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/lexer.h"

typedef struct Fixture {
    Exprs *pool;
    Arena *arena;
} Fixture;

static int setup(void **state) {
    static const char *const bits[] = {"x", "y", "z"};
    Fixture *f = test_malloc(sizeof *f);
    Exprs *p = exprs_new();
    f->pool = p;
    f->arena = arena_new();
    for (int i = 0; i < 3; i++) symbol_new(p, SYM_VARIABLE, bits[i], sort_bv(p, 32));
    symbol_new(p, SYM_VARIABLE, "c", sort_bv(p, 8));
    symbol_new(p, SYM_VARIABLE, "t", sort_bv(p, 1));
    symbol_new(p, SYM_VARIABLE, "p", sort_bool(p));
    symbol_new(p, SYM_VARIABLE, "q", sort_bool(p));
    symbol_new(p, SYM_VARIABLE, "i", sort_int(p));
    symbol_new(p, SYM_VARIABLE, "j", sort_int(p));
    symbol_new(p, SYM_VARIABLE, "a", sort_array(p, sort_int(p), sort_bv(p, 32)));
    *state = f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    exprs_free(f->pool);
    arena_free(f->arena);
    test_free(f);
    return 0;
}

static const Symbol *find(void *context, const char *name) { return symbol_find(context, name); }

static const Expr *read(Fixture *f, const char *text) {
    Lexer l;
    lexer_init(&l, f->arena, "test", text);
    const Expr *e = expr_parse(f->pool, &l, find, f->pool);
    if (!e) fail_msg("%s", buf_string(&l.error));
    lexer_done(&l);
    return e;
}

static void becomes(Fixture *f, const char *before, const char *after) {
    Buf b = {0};
    expr_print(&b, read(f, before));
    assert_string_equal(buf_string(&b), after);
    buf_free(&b);
}

static void stays(Fixture *f, const char *text) { becomes(f, text, text); }

static void equal_is_identical(void **state) {
    Fixture *f = *state;
    size_t n = exprs_count(f->pool);
    const Expr *e = read(f, "(add (mul x y) (ite p x 3:32))");
    n = exprs_count(f->pool);
    assert_ptr_equal(e, read(f, "(add (mul x y) (ite p x 3:32))"));
    assert_ptr_equal(e, read(f, "(add (ite p x 3:32) (mul y x))")); /* commutative: one node, first order kept */
    assert_int_equal(exprs_count(f->pool), n);
    assert_ptr_not_equal(e, read(f, "(add nsw (mul x y) (ite p x 3:32))"));
    assert_ptr_equal(read(f, "(and p q (= x y))"), read(f, "(and (= y x) p q)"));
    assert_true(e->id > e->args[0]->id && e->id > e->args[1]->id);
    /* Which fault comes first is part of the meaning. */
    assert_ptr_not_equal(read(f, "(add (udiv x y) (shl x y))"), read(f, "(add (shl x y) (udiv x y))"));
    assert_ptr_not_equal(read(f, "(and p (= 1:32 (udiv x y)))"), read(f, "(and (= 1:32 (udiv x y)) p)"));
}

static void names_are_unique(void **state) {
    Fixture *f = *state;
    Symbol *s = symbol_new(f->pool, SYM_VARIABLE, "x", sort_bool(f->pool));
    assert_string_equal(s->name, "x#2");
    assert_string_equal(symbol_new(f->pool, SYM_VARIABLE, "x", sort_bool(f->pool))->name, "x#3");
    assert_ptr_equal(symbol_find(f->pool, "x#2"), s);
    assert_null(symbol_find(f->pool, "nobody"));
    assert_int_equal(s->id, exprs_symbol_count(f->pool) - 2);
}

/* As many of one name as a large program has temporaries; each number is tried once. */
static void many_equal_names(void **state) {
    Fixture *f = *state;
    Symbol *last = NULL;
    symbol_new(f->pool, SYM_VARIABLE, "many#7", sort_bool(f->pool));
    for (int i = 0; i < 100000; i++) last = symbol_new(f->pool, SYM_VARIABLE, "many", sort_bool(f->pool));
    assert_string_equal(last->name, "many#100001");
    assert_ptr_equal(symbol_find(f->pool, "many#100001"), last);
}

static void arithmetic(void **state) {
    Fixture *f = *state;
    becomes(f, "(add 2:32 x)", "(add x 2:32)");
    becomes(f, "(add (add x 2:32) -3:32)", "(add x 4294967295:32)");
    becomes(f, "(add (add i 2) -2)", "i");
    stays(f, "(add nsw (add nsw x 1:32) 1:32)");
    becomes(f, "(sub nsw x 1:32)", "(add nsw x 4294967295:32)");
    stays(f, "(sub nsw x 2147483648:32)");
    stays(f, "(sub nuw x 1:32)");
    becomes(f, "(sub x x)", "0:32");
    becomes(f, "(mul i 0)", "0");
    becomes(f, "(mul nsw 1:32 x)", "x");
    becomes(f, "(add 2147483647:32 1:32)", "2147483648:32");
    stays(f, "(add nsw 2147483647:32 1:32)");
    stays(f, "(udiv 1:32 0:32)");
    stays(f, "(mul (udiv x y) 0:32)");
    stays(f, "(sub (udiv x y) (udiv x y))");
    stays(f, "(sdiv t 1:1)");
    becomes(f, "(band x x)", "x");
    becomes(f, "(bxor (bool2bv p) 1:1)", "(bool2bv (not p))");
    becomes(f, "(band (bool2bv p) (bool2bv q))", "(bool2bv (and p q))");
    stays(f, "(band (bool2bv p) (bool2bv (= x (udiv y z))))");
}

static void truth(void **state) {
    Fixture *f = *state;
    becomes(f, "(and p true (and p q))", "(and p q)");
    becomes(f, "(and p (not p))", "false");
    becomes(f, "(or (slt x y) (sle y x))", "true");
    stays(f, "(and (= x (udiv y z)) false)");
    becomes(f, "(and p false (= x (udiv y z)))", "false");
    becomes(f, "(not (slt x y))", "(sle y x)");
    stays(f, "(not (slt (udiv x y) (shl x y)))");
    becomes(f, "(not (not p))", "p");
    becomes(f, "(ite p true false)", "p");
    becomes(f, "(ite (not p) x y)", "(ite p y x)");
    becomes(f, "(ite p (ite p x y) z)", "(ite p x z)");
    becomes(f, "(= (ite p 1:32 0:32) 0:32)", "(not p)");
    becomes(f, "(= (zext 32 (bool2bv p)) 0:32)", "(not p)");
    becomes(f, "(not (= (zext 32 c) 300:32))", "true");
    becomes(f, "(= (sext 32 c) -1:32)", "(= c 255:8)");
    becomes(f, "(= (add x 1:32) 0:32)", "(= x 4294967295:32)");
    stays(f, "(= (add nsw x 1:32) 0:32)");
    becomes(f, "(ult x 1:32)", "(= x 0:32)");
    becomes(f, "(sle x 2147483647:32)", "true");
    stays(f, "(sle (udiv x y) 2147483647:32)");
}

static void widths_and_arrays(void **state) {
    Fixture *f = *state;
    becomes(f, "(zext 64 (zext 32 c))", "(zext 64 c)");
    becomes(f, "(sext 64 (zext 32 c))", "(zext 64 c)");
    becomes(f, "(extract 0 8 (sext 32 c))", "c");
    becomes(f, "(extract 8 8 (extract 8 16 x))", "(extract 16 8 x)");
    becomes(f, "(concat (extract 8 8 x) (extract 0 8 x))", "(extract 0 16 x)");
    becomes(f, "(extract 0 32 (concat x y))", "y");
    stays(f, "(extract 0 32 (concat (udiv x y) y))");
    becomes(f, "(int2bv 32 (sbv2int x))", "x");
    becomes(f, "(select (store a i x) i)", "x");
    becomes(f, "(select (store a 1 x) 2)", "(select a 2)");
    stays(f, "(select (store a 1 (udiv x y)) 2)");
    becomes(f, "(store (store a i x) i y)", "(store a i y)");
    becomes(f, "(store a i (select a i))", "a");
    becomes(f, "(select (const-array array(int,bv32) x) i)", "x");
}

static void faults_are_known(void **state) {
    Fixture *f = *state;
    assert_false(expr_may_fault(read(f, "(add x y)")));
    assert_true(expr_may_fault(read(f, "(add nsw x y)")));
    assert_false(expr_may_fault(read(f, "(udiv x 3:32)")));
    assert_false(expr_may_fault(read(f, "(sdiv x 3:32)")));
    assert_true(expr_may_fault(read(f, "(sdiv x -1:32)")));
    assert_false(expr_may_fault(read(f, "(shl x 31:32)")));
    assert_true(expr_may_fault(read(f, "(shl x 32:32)")));
    assert_true(expr_may_fault(read(f, "(ite p (add x (udiv x y)) x)")));
    assert_false(expr_may_fault(read(f, "(add i j)")));
}

static void count(void *context, const Symbol *s) {
    (void)s;
    ++*(int *)context;
}

static const Expr *x_to_y_plus_1(void *context, const Expr *e) {
    Fixture *f = context;
    return e->symbol == symbol_find(f->pool, "x") ? read(f, "(add y 1:32)") : NULL;
}

/* Doubled a hundred times: a tree of 2^100 nodes, a hundred of them different. */
static void sharing_is_used(void **state) {
    Fixture *f = *state;
    const Expr *e = read(f, "x"), *ones = e;
    for (int i = 0; i < 100; i++) e = expr_2(f->pool, OP_BXOR, expr_2(f->pool, OP_MUL, e, e), e);
    int n = 0;
    expr_symbols(e, count, &n);
    assert_int_equal(n, 1);
    assert_true(expr_mentions(e, ones->symbol));
    assert_false(expr_mentions(e, symbol_find(f->pool, "y")));
    e = expr_substitute(f->pool, e, x_to_y_plus_1, f);
    assert_false(expr_mentions(e, ones->symbol));
    assert_true(expr_mentions(e, symbol_find(f->pool, "y")));
    Buf b = {0};
    expr_print_smt(&b, e);
    assert_true(b.length < 20000);
    buf_free(&b);
    assert_ptr_equal(expr_substitute(f->pool, read(f, "(mul x z)"), x_to_y_plus_1, f), read(f, "(mul (add y 1:32) z)"));
}

/* Walks must not depend on the size of the stack. */
static void depth_is_no_limit(void **state) {
    Fixture *f = *state;
    const Expr *e = read(f, "x"), *y = read(f, "y");
    for (int i = 0; i < 300000; i++) e = expr_2(f->pool, OP_BXOR, expr_2(f->pool, OP_MUL, e, y), expr_bv(f->pool, 32, 1 + (u128)i % 7));
    e = expr_substitute(f->pool, e, x_to_y_plus_1, f);
    assert_false(expr_mentions(e, symbol_find(f->pool, "x")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_is_identical, setup, teardown),
        cmocka_unit_test_setup_teardown(names_are_unique, setup, teardown),
        cmocka_unit_test_setup_teardown(many_equal_names, setup, teardown),
        cmocka_unit_test_setup_teardown(arithmetic, setup, teardown),
        cmocka_unit_test_setup_teardown(truth, setup, teardown),
        cmocka_unit_test_setup_teardown(widths_and_arrays, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_are_known, setup, teardown),
        cmocka_unit_test_setup_teardown(sharing_is_used, setup, teardown),
        cmocka_unit_test_setup_teardown(depth_is_no_limit, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
