/* SPDX-License-Identifier: Apache-2.0 */
/* Text: tokens, errors, and expressions as C and as SMT-LIB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "expr/lexer.h"

typedef struct Fixture {
    Exprs *pool;
    Arena *arena;
} Fixture;

static void declare(Exprs *p, const char *name, const Sort *s, int sign) { symbol_new(p, SYM_VARIABLE, name, s)->sign = sign; }

static int setup(void **state) {
    Fixture *f = test_malloc(sizeof *f);
    Exprs *p = exprs_new();
    f->pool = p;
    f->arena = arena_new();
    declare(p, "x", sort_bv(p, 32), 0);
    declare(p, "y", sort_bv(p, 32), 0);
    declare(p, "s", sort_bv(p, 32), 1);
    declare(p, "u", sort_bv(p, 32), -1);
    declare(p, "c", sort_bv(p, 8), 0);
    declare(p, "l", sort_bv(p, 64), 0);
    declare(p, "b", sort_bool(p), 0);
    declare(p, "d", sort_bool(p), 0);
    declare(p, "i", sort_int(p), 0);
    declare(p, "a", sort_array(p, sort_int(p), sort_bv(p, 32)), 0);
    declare(p, "nsw", sort_bv(p, 32), 0);
    declare(p, "odd |name", sort_bool(p), 0);
    declare(p, "and", sort_bool(p), 0);
    symbol_new(p, SYM_ADDRESS, "object", sort_bv(p, 64));
    const Sort *params[] = {sort_bv(p, 32), sort_int(p)};
    symbol_function(p, "f", sort_bv(p, 32), 2, params);
    symbol_function(p, "g", sort_bv(p, 32), 0, NULL);
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

static void is_text(Fixture *f, void (*print)(Buf *, const Expr *), const char *hir, const char *text) {
    Buf b = {0};
    print(&b, read(f, hir));
    assert_string_equal(buf_string(&b), text);
    buf_free(&b);
}

static void c_text(Fixture *f, const char *hir, const char *c) { is_text(f, expr_print_c, hir, c); }
static void smt_text(Fixture *f, const char *hir, const char *smt) { is_text(f, expr_print_smt, hir, smt); }
static void hir_text(Fixture *f, const char *hir) { is_text(f, expr_print, hir, hir); }

/* ---- tokens ---- */
static void tokens(void **state) {
    Fixture *f = *state;
    Lexer l;
    lexer_init(&l, f->arena, "t", "main::x#2 L1: a->b x:=-5 // gone\n 7:8 \"a\\n\\x00b\" |odd \\| name| const-array =");
    static const struct {
        Token token;
        const char *text;
    } want[] = {{TOKEN_NAME, "main::x#2"},   {TOKEN_NAME, "L1"},  {TOKEN_PUNCT, ":"},    {TOKEN_NAME, "a"},
                {TOKEN_PUNCT, "->"},         {TOKEN_NAME, "b"},   {TOKEN_NAME, "x"},     {TOKEN_PUNCT, ":="},
                {TOKEN_NUMBER, "-5"},        {TOKEN_NUMBER, "7"}, {TOKEN_STRING, "a\n"}, {TOKEN_NAME, "odd | name"},
                {TOKEN_NAME, "const-array"}, {TOKEN_PUNCT, "="},  {TOKEN_END, ""}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++, lexer_next(&l)) {
        assert_int_equal(l.token, want[i].token);
        if (l.token == TOKEN_NUMBER) assert_int_equal((int)l.number, strcmp(want[i].text, "7") ? -5 : 7);
        else if (l.token != TOKEN_END) assert_string_equal(l.name, want[i].text);
        if (l.token == TOKEN_STRING) assert_int_equal(l.length, 4);
    }
    assert_false(l.failed);
    lexer_done(&l);
}

static void quoted_names_are_no_keywords(void **state) {
    Fixture *f = *state;
    Lexer l;
    lexer_init(&l, f->arena, "t", "|true| true");
    assert_false(lexer_is(&l, "true"));
    lexer_next(&l);
    assert_true(lexer_accept(&l, "true"));
    lexer_done(&l);
    hir_text(f, "(add |nsw| x)");
    hir_text(f, "(and |odd \\|name| b)");
}

static void error_is(Fixture *f, const char *text, const char *error) {
    Lexer l;
    lexer_init(&l, f->arena, "t.hir", text);
    assert_null(expr_parse(f->pool, &l, find, f->pool));
    assert_true(l.failed);
    assert_string_equal(buf_string(&l.error), error);
    lexer_done(&l);
}

static void errors(void **state) {
    Fixture *f = *state;
    error_is(f, "(add x\n\tnobody)", "t.hir:2:2: error: nobody has no declaration here: add one [H0616]\n\tnobody)\n\t^\n");
    error_is(
        f, "(add x c)",
        "t.hir:1:9: error: the operator add does not take operands of the sorts bv32 bv8: change them [H0625]\n(add x c)\n        ^\n");
    error_is(f, "(not b d)", "t.hir:1:9: error: the operator not takes 1 operand, not 2 [H0624]\n(not b d)\n        ^\n");
    error_is(
        f, "(and b x)",
        "t.hir:1:9: error: the operator and does not take operands of the sorts bool bv32: change them [H0625]\n(and b x)\n        ^\n");
    error_is(f, "(udiv nsw x y)",
             "t.hir:1:7: error: the operator udiv does not take the flag nsw: remove it [H0623]\n(udiv nsw x y)\n      ^\n");
    error_is(f, "(extract 30 8 x)",
             "t.hir:1:16: error: the operator extract does not take operands of the sorts bv32: change them [H0625]\n(extract 30 8 x)\n    "
             "           ^\n");
    error_is(f, "(frob x)", "t.hir:1:2: error: the parser expects an operator here [H0601]\n(frob x)\n ^\n");
    error_is(f, "256:8", "t.hir:1:1: error: the number does not fit its width: write one that fits [H0606]\n256:8\n^\n");
    error_is(f, "1:129", "t.hir:1:1: error: a bit-vector has 1 to 128 bits: choose another width [H0604]\n1:129\n^\n");
    error_is(f, "(add x y", "t.hir:1:9: error: the parser expects ) here [H0601]\n(add x y\n        ^\n");
    error_is(f, "", "t.hir:1:1: error: the parser expects an expression here [H0601]\n\n^\n");
    error_is(f, "f", "t.hir:1:1: error: f is a function: write (apply f …) [H0618]\nf\n^\n");
    error_is(f, "|x", "t.hir:1:1: error: the quoted text has no end in its line: write | behind it [H0603]\n|x\n^\n");
    error_is(f, "(apply f x)", "t.hir:1:11: error: the operator apply takes 2 operands, not 1 [H0624]\n(apply f x)\n          ^\n");
}

/* As deep as one likes, but no deeper than the reader's stack. */
static void deep_sorts(void **state) {
    Fixture *f = *state;
    for (int depth = 100; depth <= 100000; depth *= 1000) {
        Buf text = {0};
        for (int i = 0; i < depth; i++) buf_text(&text, "array(");
        buf_text(&text, "bv8");
        for (int i = 0; i < depth; i++) buf_text(&text, ",bv8)");
        Lexer l;
        lexer_init(&l, f->arena, "deep", buf_string(&text));
        const Sort *s = sort_parse(f->pool, &l);
        assert_int_equal(s != NULL, depth == 100);
        assert_int_equal(strstr(buf_string(&l.error), "[H0611]") != NULL, depth > 100);
        lexer_done(&l);
        buf_free(&text);
    }
}

static void long_lines_are_cut(void **state) {
    Fixture *f = *state;
    Buf text = {0};
    for (int i = 0; i < 5000; i++) buf_text(&text, "(not ");
    buf_text(&text, "?");
    for (int i = 0; i < 5000; i++) buf_text(&text, " ü)");
    Lexer l;
    lexer_init(&l, f->arena, "long", buf_string(&text));
    assert_null(expr_parse(f->pool, &l, find, f->pool));
    const char *line = strchr(buf_string(&l.error), '\n') + 1, *caret = strchr(line, '\n') + 1;
    assert_true(caret - line < 200);
    assert_int_equal(line[strchr(caret, '^') - caret], '?');
    assert_memory_equal(line, "... ", 4);
    assert_memory_equal(caret - 5, " ...\n", 5);
    lexer_done(&l);
    buf_free(&text);
}

static void hir(void **state) {
    Fixture *f = *state;
    hir_text(f, "(add nsw x 1:32)");
    hir_text(f, "(add nsw nuw x y)");
    hir_text(f, "(apply f x (add i -5))");
    hir_text(f, "(apply g)");
    hir_text(f, "(store (const-array array(int,bv32) x) i 7:32)");
    hir_text(f, "340282366920938463463374607431768211455:128");
    hir_text(f, "-170141183460469231731687303715884105728");
    is_text(f, expr_print, "-1:8", "255:8");
    is_text(f, expr_print, "(add nuw nsw x y)", "(add nsw nuw x y)");
    Buf b = {0};
    sort_print(&b, sort_array(f->pool, sort_int(f->pool), sort_array(f->pool, sort_bv(f->pool, 8), sort_bool(f->pool))));
    Lexer l;
    lexer_init(&l, f->arena, "t", buf_string(&b));
    assert_string_equal(buf_string(&b), "array(int,array(bv8,bool))");
    assert_ptr_equal(sort_parse(f->pool, &l)->element, sort_array(f->pool, sort_bv(f->pool, 8), sort_bool(f->pool)));
    lexer_done(&l);
    buf_free(&b);
}

/* ---- C ---- */
static void as_c(void **state) {
    Fixture *f = *state;
    c_text(f, "(slt x -1:32)", "x < -1");
    c_text(f, "(ult x -1:32)", "x < 4294967295");
    c_text(f, "(ult u x)", "u < x");
    c_text(f, "(ult s x)", "(unsigned)s < x");
    c_text(f, "(ult u s)", "u < s");
    c_text(f, "(slt u s)", "(int)u < s");
    c_text(f, "(add nsw x -1:32)", "x - 1");
    c_text(f, "(mul (add x y) (sub x y))", "(x + y) * (x - y)");
    c_text(f, "(sub x (sub y u))", "x - (y - u)");
    c_text(f, "(sub (sub x y) u)", "x - y - u");
    c_text(f, "(sub 0:32 x)", "-x");
    c_text(f, "(sdiv (udiv x y) s)", "(int)(x / y) / s");
    c_text(f, "(and (or b d) (not (= x 0:32)))", "(b || d) && x != 0");
    c_text(f, "(or (and b d) (not b))", "b && d || !b");
    c_text(f, "(not (and b d))", "!(b && d)");
    c_text(f, "(= (band x 1:32) 0:32)", "(x & 1) == 0");
    c_text(f, "(= x -1:32)", "x == -1");
    c_text(f, "(= u -1:32)", "u == 4294967295");
    c_text(f, "(bxor x -1:32)", "~x");
    c_text(f, "(ite b x (ite d y 3:32))", "b ? x : d ? y : 3");
    c_text(f, "(add (ite b x y) 1:32)", "(b ? x : y) + 1");
    c_text(f, "(zext 32 c)", "c");
    c_text(f, "(mul (sext 64 x) (sext 64 y))", "(long)x * y");
    c_text(f, "(add l (sext 64 s))", "l + s");
    c_text(f, "(add l (zext 64 s))", "l + (unsigned)s");
    c_text(f, "(extract 0 8 x)", "(unsigned char)x");
    c_text(f, "(extract 8 8 (add x y))", "(unsigned char)(x + y >> 8)");
    c_text(f, "(add (extract 0 32 l) x)", "(int)l + x");
    c_text(f, "(select a (add i 1))", "a[i + 1]");
    c_text(f, "(select (store a i x) 3)", "a[i := x][3]");
    c_text(f, "(apply f (add x y) i)", "f(x + y, i)");
    c_text(f, "(= object 0:64)", "&object == 0");
    c_text(f, "(fadd l 4609434218613702656:64)", "l + 1.5");
    c_text(f, "(flt (sbv2fp 64 x) 4607182418800017408:64)", "(double)x < 1.0");
    c_text(f, "(feq (fneg l) l)", "-l == l");
    c_text(f, "(fadd x 1036831949:32)", "x + 0.1f");
    c_text(f, "(mod i 4)", "i mod 4");
    c_text(f, "(div (add i 1) 4)", "(i + 1) div 4");
    c_text(f, "(mod (mod i 8) 4)", "i mod 8 % 4");
    c_text(f, "(shl x (add y 1:32))", "x << y + 1");
    c_text(f, "(lshr s 3:32)", "(unsigned)s >> 3");
    c_text(f, "(zext 32 (bool2bv (slt x y)))", "x < y");
    c_text(f, "(add (zext 32 (bool2bv (slt x y))) 1:32)", "(x < y) + 1");
}

/* ---- SMT-LIB ---- */
static void as_smt(void **state) {
    Fixture *f = *state;
    smt_text(f, "(add nsw x 1:32)", "(bvadd x (_ bv1 32))");
    smt_text(f, "(slt (add i -1) 5)", "(< (+ i (- 1)) 5)");
    smt_text(f, "(extract 8 16 x)", "((_ extract 23 8) x)");
    smt_text(f, "(zext 40 c)", "((_ zero_extend 32) c)");
    smt_text(f, "(and |and| |odd \\|name|)", "(and |and'| |odd %7cname|)");
    smt_text(f, "(const-array array(int,bv32) x)", "((as const (Array Int (_ BitVec 32))) x)");
    smt_text(f, "(flt (fadd x y) x)", "(fp.lt (fp.add RNE ((_ to_fp 8 24) x) ((_ to_fp 8 24) y)) ((_ to_fp 8 24) x))");
    smt_text(f, "(apply g)", "g");
    smt_text(f, "(fp2sbv 8 (fp2fp 80 x))", "(x87.to_sbv8 (x87.from_fp32 x))");
    smt_text(f, "(sbv2int c)", "(let ((?s c)) (ite (= ((_ extract 7 7) ?s) #b1) (- (bv2nat ?s) 256) (bv2nat ?s)))");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tokens, setup, teardown),
        cmocka_unit_test_setup_teardown(quoted_names_are_no_keywords, setup, teardown),
        cmocka_unit_test_setup_teardown(errors, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_sorts, setup, teardown),
        cmocka_unit_test_setup_teardown(long_lines_are_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(hir, setup, teardown),
        cmocka_unit_test_setup_teardown(as_c, setup, teardown),
        cmocka_unit_test_setup_teardown(as_smt, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
