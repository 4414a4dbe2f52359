/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of systems: what is printed reads back as the same system and prints as the same text; errors of the text are told with their place.
   The states of small systems. */
#include "system_test.h"
#include "states.h"
#include "system/text.h"
#include <stdio.h>

static System *system_of(Exprs *x, const char *text) {
    Buf error = {0};
    System *s = system_parse(x, "test", text, &error);
    if (!s) fail_msg("%s", buf_string(&error));
    buf_free(&error);
    return s;
}

static void expect_same_again(const System *s) {
    Buf text = {0}, again = {0};
    system_print(&text, s);
    Exprs *x = exprs_new();
    System *t = system_of(x, buf_string(&text));
    system_print(&again, t);
    assert_string_equal(buf_string(&text), buf_string(&again));
    system_free(t);
    exprs_free(x);
    buf_free(&text);
    buf_free(&again);
}

static void expect_text(const char *text) {
    Exprs *x = exprs_new();
    System *s = system_of(x, text);
    Buf printed = {0};
    system_print(&printed, s);
    assert_string_equal(buf_string(&printed), text);
    system_free(s);
    exprs_free(x);
    buf_free(&printed);
}

static void expect_error(const char *text, const char *message) {
    Buf error = {0};
    Exprs *x = exprs_new();
    assert_null(system_parse(x, "test", text, &error));
    if (!strstr(buf_string(&error), message)) fail_msg("%s is not %s", buf_string(&error), message);
    exprs_free(x);
    buf_free(&error);
}

/* All that the text has, in the printer's form. */
static const char everything[] = "system integers;\n"
                                 "global x : int = 0 signed as signed bv32;\n"
                                 "global m : int = 0 as bv32 hidden holder owner name \"lock\";\n"
                                 "global owner : int = 0 hidden;\n"
                                 "global started : int = 1;\n"
                                 "global |goto| : array(int,int) as congruent array(bv64,bv8);\n"
                                 "local a : int in w unsigned as congruent bv16;\n"
                                 "local me : int in w;\n"
                                 "local b : int in w#2 unsigned as congruent bv16;\n"
                                 "local you : int in w#2;\n"
                                 "\n"
                                 "thread main status started entry l0 {\n"
                                 "  l0 loop @\"a.c:1:2\" {\n"
                                 "    any v : int signed, u : int when (sle v x) creates w do x := v; goto l0;\n"
                                 "    transition 2 @\"a.c:3:1\" joins w goto l1;\n"
                                 "    transition 3 @nowhere waits actions () goto l2;\n"
                                 "  }\n"
                                 "  l1 error \"it is over\";\n"
                                 "  l2 atomic {\n"
                                 "    transition 1 actions (3 either 4 or loop 5 end end) do\n"
                                 "      x := (add x 1);\n"
                                 "      |goto| := (store goto x 7);\n"
                                 "    goto l3;\n"
                                 "  }\n"
                                 "  l3 end;\n"
                                 "}\n"
                                 "\n"
                                 "thread w many twin w#2 self me status started template 4 entry l1 {\n"
                                 "  l0 halt live ();\n"
                                 "  l1 live (me) {\n"
                                 "    when (= m 0) locks m do m := me; goto l2;\n"
                                 "  }\n"
                                 "  l2 {\n"
                                 "    when (= a 1) unlocks m do m := 0; goto l0;\n"
                                 "  }\n"
                                 "}\n"
                                 "\n"
                                 "thread w#2 many twin w self you status started template 4 entry l1 {\n"
                                 "  l0 halt live ();\n"
                                 "  l1 live (you) {\n"
                                 "    when (= m 0) locks m do m := you; goto l2;\n"
                                 "  }\n"
                                 "  l2 {\n"
                                 "    when (= b 1) unlocks m do m := 0; goto l0;\n"
                                 "  }\n"
                                 "}\n"
                                 "\n"
                                 "fill |goto| at x with z : int signed;\n";

static void text_is_read_as_it_was(void **state) {
    (void)state;
    expect_text(everything);
}

static void large_expressions_have_names(void **state) {
    (void)state;
    Buf text = {0};
    buf_text(&text, "system bitvectors;\nglobal x : bv32 = 0:32;\nglobal let.y : bv32 = 0:32;\nthread main entry l0 {\n  l0 {\n"
                    "    let e1 = (mul (add x let.y) (bxor x 5:32));\n"
                    "    let e2 = (mul (add e1 1:32) (bxor e1 e1));\n    let e3 = (mul (add e1 e2) (bxor e2 3:32));\n"
                    "    let e4 = (mul (add e3 e2) (bxor e3 3:32));\n    let e5 = (mul (add e4 e3) (bxor e4 e2));\n"
                    "    let e6 = (mul (add e5 e4) (bxor e5 e4));\n    let e7 = (mul (add e6 e5) (bxor e6 e5));\n"
                    "    let e8 = (mul (add e7 e6) (bxor e7 e6));\n    let e9 = (mul (add e8 e7) (bxor e8 e7));\n"
                    "    when (= e9 e8) do x := e9; let.y := e7; goto l1;\n  }\n  l1;\n}\n");
    Exprs *x = exprs_new();
    System *s = system_of(x, buf_string(&text));
    Buf printed = {0};
    system_print(&printed, s);
    assert_non_null(strstr(buf_string(&printed), "let let'.3 ="));
    assert_true(printed.length < 3000);
    expect_same_again(s);
    system_free(s);
    exprs_free(x);
    buf_free(&printed);
    buf_free(&text);
}

static void what_passes_make_is_read_back(void **state) {
    (void)state;
    for (unsigned integers = 0; integers < 2; integers++) {
        Chain p = prepared(p1_1, integers);
        expect_same_again(p.system);
        expect_same_again(p.system->fine);
        release(&p);
    }
}

static void errors_have_a_place(void **state) {
    (void)state;
    expect_error("", "test:1:1: error: the parser expects system here [H0601]");
    expect_error("system x;", "test:1:8: error: the parser expects integers or bitvectors here [H0601]");
    expect_error("system integers; global x : int; global x : int;",
                 "test:1:41: error: x has a declaration already: choose another name [H0617]");
    expect_error("system integers; local x : int; ", "the local belongs to no thread: add in and the name of one [H0632]");
    expect_error("system integers; local x : int in t; thread main { l0; }",
                 "test:1:35: error: the text declares no thread t: add it [H0517]");
    expect_error("system integers; global x : int = 0 holder y; thread main { l0; }", "error: y has no declaration here: add one [H0616]");
    expect_error("system integers; thread main { l0 { goto l1; } }",
                 "test:1:42: error: the thread does not define the label l1: add a location with this name [H0521]");
    expect_error("system integers; thread main { l0; l0; }", "error: the thread defines the label l0 twice: rename one [H0520]");
    expect_error("system integers; thread main { l0; } thread main { l0; }",
                 "error: main has a declaration already: choose another name [H0617]");
    expect_error("system integers; thread main { l0 { do x := 1; goto l0; } }",
                 "test:1:40: error: x has no declaration here: add one [H0616]");
    expect_error("system integers; thread main { l0 { when y goto l0; } }", "test:1:42: error: y has no declaration here: add one [H0616]");
    expect_error("system integers; thread main { l0 { when 1 goto l0; } }",
                 "test:1:42: error: the guard is not a condition: give it the sort bool [H0649]");
    expect_error("system integers; thread main { l0 { any y : int goto l0; any y : bool goto l0; } }",
                 "error: the input y has another sort elsewhere: rename it [H0633]");
    expect_error("system integers; global y : int; thread main { l0 { any y : int goto l0; } }",
                 "error: the input y has the name of a variable: rename it [H0647]");
    expect_error("system integers; global y : int; thread main { l0 { do y := true; goto l0; } }",
                 "error: the transition assigns a value of another sort to y: convert it [H0651]");
    expect_error("system integers; thread main { l0 { transition 1 goto l0; } }",
                 "error: the transitions of this thread must have the numbers 0 to 0, each once [H0634]");
    expect_error("system integers; thread main { l0 } ", "the parser expects an attribute of the location, { or ; here [H0519]");
    expect_error("system integers; thread main { l0 @\"a:1\"; } ", "write it so [H0504]");
    expect_error("system integers; thread main { l0; } global x : int;", "in this order [H0631]");
    expect_error("system integers; global x : bv8; thread main { l0; }",
                 "not well-formed: [sorts] x has bit-vectors, and the system has integers: give it the sort int [H0641]");
    expect_error("system integers; thread main { l0 error; }",
                 "[locations] no thread begins at a location of this kind: add a plain entry before it [H0574]");
}

/* ---- states ---- */

static void expect_states(const char *text, size_t errors, size_t states) {
    Exprs *x = exprs_new();
    System *s = system_of(x, text);
    SystemStates seen;
    system_states(s, 1000, &seen);
    assert_int_equal(vec_len(seen.errors), errors);
    assert_int_equal(seen.count, states);
    assert_true(seen.complete);
    system_states_free(&seen);
    system_free(s);
    exprs_free(x);
}

static void states_are_visited(void **state) {
    (void)state;
    /* Two increments that are read and written apart: one may be lost. */
    static const char apart[] =
        "system bitvectors; global x : bv8 = 0:8; local a : bv8 = 0:8 in t; local b : bv8 = 0:8 in u;\n"
        "global n : bv8 = 0:8;\n"
        "thread main { l0 { when (and (= n 2:8) (= x 1:8)) goto bad; } bad error \"lost\"; }\n"
        "thread t { l0 %s{ do a := x; goto l1; } l1 %s{ do x := (add a 1:8); n := (add n 1:8); goto l2; } l2 end; }\n"
        "thread u { l0 { do b := x; goto l1; } l1 { do x := (add b 1:8); n := (add n 1:8); goto l2; } l2 end; }\n";
    char text[sizeof apart + 20];
    snprintf(text, sizeof text, apart, "", "");
    expect_states(text, 1, 14);
    /* Nobody moves while a thread is at an atomic location: then t reads and writes at once. */
    snprintf(text, sizeof text, apart, "", "atomic ");
    expect_states(text, 1, 13);
    /* What has no value gets one when it is read: x and what is read of it later are the same. */
    expect_states("system integers; global x : int; global y : int = 0;\n"
                  "thread main { l0 { do y := x; goto l1; } l1 { when (not (= x y)) goto bad; when (= x 3) goto good; }\n"
                  "  bad error; good error; }",
                  1, 8);
    /* Inputs are any. */
    expect_states("system integers; global y : int = 0;\n"
                  "thread main { l0 { any v : int when (slt 1 v) do y := v; goto l1; } l1 { when (= y 2) goto bad; } bad error; }",
                  1, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_read_as_it_was), cmocka_unit_test(large_expressions_have_names),
                                       cmocka_unit_test(what_passes_make_is_read_back), cmocka_unit_test(errors_have_a_place),
                                       cmocka_unit_test(states_are_visited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
