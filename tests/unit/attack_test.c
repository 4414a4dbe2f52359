/* SPDX-License-Identifier: Apache-2.0 */
/* Does anybody notice that a store is late? Small programs in each of which there is one way to, or none. */
#include "explore.h"
#include "transform/program/attack.h"
#include "transform/program/meeting.h"

/* A stores to x, then reads y. What the others do, and what main does when it has created them, is the argument. */
#define GLOBALS "global x : bv2 = 0:2; global y : bv2 = 0:2; global z : bv2 = 0:2; global w : bv2 = 0:2; object m : global 4;\n"
#define MAIN(more)                                   \
    "thread main { local t : bv32; local r : bv2;\n" \
    "  c0 { do create a (0:64); goto c1; } c1 { do t := create b (0:64); goto c2; } c2 { do create c (0:64); goto s0; }\n" more "}\n"
#define A "thread a { local r : bv2; l0 { do x := 1:2; goto l1; } l1 { do r := y; goto l2; } l2 end; }\n"
#define B(text) "thread b { local r : bv2; local s : bv2; l0 {" text " } last end; }\n"
#define C(text) "thread c { local r : bv2; local s : bv2; l0 {" text " } last end; }\n"
#define IDLE "goto last;"

/* Errors of what `attack` makes: whether there are any. */
static bool noticed(const char *text) {
    Seen seen = {0};
    Buf error = {0};
    Program *p = program_of(text);
    p->memory = MEMORY_TSO;
    Delays *d = meeting_delays(p);
    assert_true(d->any);
    Program *made = attack(p, d);
    assert_non_null(made);
    if (!program_check(made, &error)) fail_msg("%s", buf_string(&error));
    explore(made, &seen);
    assert_true(seen.complete);
    delays_free(d);
    program_free(made);
    program_free(p);
    return seen.errors;
}

static void test_noticed(void **state) {
    (void)state;
    /* the other reads x itself */
    assert_true(noticed(GLOBALS MAIN("s0;") A B("do y := 1:2; goto f; } f { do fence; goto g; } g { do r := x; goto last;") C(IDLE)));
    /* who wrote y writes z, and who reads that reads x */
    assert_true(noticed(GLOBALS MAIN("s0;") A B("do y := 1:2; goto g; } g { do z := 1:2; goto last;")
                            C("do r := z; goto g; } g { do s := x; goto last;")));
    /* who wrote y reads z, and who writes that reads x */
    assert_true(noticed(GLOBALS MAIN("s0;") A B("do y := 1:2; goto f; } f { do fence; goto g; } g { do r := z; goto last;")
                            C("do z := 1:2; goto f; } f { do fence; goto g; } g { do s := x; goto last;")));
    /* who wrote y writes x */
    assert_true(noticed(GLOBALS MAIN("s0;") A B("do y := 1:2; goto g; } g { do x := 2:2; goto last;") C(IDLE)));
}

static void test_read_back(void **state) {
    (void)state;
    /* A gets to its load only if it reads what it stored */
    assert_true(noticed(GLOBALS MAIN("s0;") "thread a { local r : bv2; l0 { do x := 1:2; goto l1; } l1 { do r := x; goto l2; }\n"
                                            "  l2 { when (= r 1:2) goto l3; } l3 { do r := y; goto l4; } l4 end; }\n" B(
                                                "do y := 1:2; goto f; } f { do fence; goto g; } g { do r := x; goto last;") C(IDLE)));
    assert_true(noticed(GLOBALS MAIN(
        "s0;") "thread a { local r : bv2; local v : bv8; l0 { do store [m] := 1:8; goto l1; } l1 { do v := load [m]; goto l2; }\n"
               "  l2 { when (= v 1:8) goto l3; } l3 { do r := y; goto l4; } l4 end; }\n"
               "thread b { local v : bv8; l0 { do y := 1:2; goto l1; } l1 { do fence; goto l2; } l2 { do v := load [m]; goto l3; } l3 end; "
               "}\n" C(IDLE)));
}

static void test_sections(void **state) {
    (void)state;
    /* the section reads x before it writes y */
    assert_true(noticed(GLOBALS MAIN("s0;") A B("goto f; } f atomic { do r := x; goto g; } g atomic { do y := 1:2; goto last;") C(IDLE)));
    /* … and one that reads neither */
    assert_false(noticed(GLOBALS MAIN("s0;") A B("goto f; } f atomic { do r := z; goto g; } g atomic { do z := 1:2; goto last;")
                             C("when (= w 1:2) do y := x; goto last;")));
}

static void test_threads(void **state) {
    (void)state;
    /* who joins the one that wrote y reads x */
    assert_true(
        noticed(GLOBALS MAIN("s0 { do join (t); goto s1; } s1 { do r := x; goto s2; } s2;") A B("do y := 1:2; goto last;") C(IDLE)));
    /* who was created by the one that wrote y reads x */
    assert_true(noticed(GLOBALS "thread main { local r : bv2; c0 { do create a (0:64); goto c1; } c1 { do y := 1:2; goto c2; } c2 { do "
                                "create b (0:64); goto c3; } c3; }\n" A B("do r := x; goto last;")));
}

static void test_not_noticed(void **state) {
    (void)state;
    /* the fence comes first */
    assert_false(noticed(GLOBALS MAIN(
        "s0;") "thread a { local r : bv2; l0 { do x := 1:2; goto l1; } l1 { when (= z 1:2) goto l3; when (= z 0:2) goto l2; }\n"
               "  l2 { do fence; goto l3; } l3 { do r := y; goto l4; } l4 end; }\n" B(
                   "do y := 1:2; goto f; } f { do fence; goto g; } g { do r := x; goto last;")
                             C("when (= w 1:2) do z := 1:2; goto last;")));
    /* the one that would notice has not begun, since A has not told it to */
    assert_false(noticed(
        GLOBALS MAIN("s0;") "thread a { local r : bv2; l0 { do x := 1:2; goto l1; } l1 { do r := y; goto l2; } l2 { do z := 1:2; goto l3; "
                            "} l3 end; }\n" B("when (= z 1:2) goto e; } e { do y := 1:2; goto g; } g { do r := x; goto last;") C(IDLE)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noticed), cmocka_unit_test(test_read_back), cmocka_unit_test(test_sections),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_not_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
