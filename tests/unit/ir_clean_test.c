/* SPDX-License-Identifier: Apache-2.0 */
/* The clean-up pass: what goes and what must stay. Each case is the body of thread main, before and after. */
#include "ir_test.h"
#include "passes/program/program_passes.h"

static const char head[] = "program pointer 64;\n"
                           "approximation over \"a\";\n"
                           "approximation over \"b\";\n"
                           "object o : local 8 in main;\n"
                           "global x : bv32;\n"
                           "global y : bv32;\n";
static const char tail[] = "thread w count many { e end; }";

static Program *program_with(const char *body) {
    Buf text = {0};
    buf_printf(&text, "%s thread main { %s } %s", head, body, tail);
    Program *p = program_of(buf_string(&text));
    buf_free(&text);
    return p;
}

static void expect(const char *before, const char *after) {
    Program *p = program_with(before), *q = program_with(after);
    Buf complaint = {0}, expected = {0};
    program_clean(p);
    if (!program_check(p, &complaint)) fail_msg("%s", buf_string(&complaint));
    program_print(&expected, q);
    assert_printed(p, buf_string(&expected));
    program_clean(p); /* nothing is left to do */
    assert_printed(p, buf_string(&expected));
    buf_free(&expected);
    program_free(p);
    program_free(q);
}

static void dead_assignments(void **state) {
    (void)state;
    /* a chain of temporaries, and a choice nobody sees */
    expect("local a : bv32; local b : bv32; local c : bv32;"
           "l0 loop { do a := self; b := a; c := any; goto l0; }",
           "l0 loop { goto l0; }");
    expect("local a : bv32; l0 loop { do a := 1:32; x := a; a := 2:32; goto l0; }",
           "local a : bv32; l0 loop { do a := 1:32; x := a; goto l0; }");
    /* a fault, a read that may race, a use in a guard stay */
    expect("local a : bv32; l0 loop { do a := (add nsw self 1:32); goto l0; }",
           "local a : bv32; l0 loop { do a := (add nsw self 1:32); goto l0; }");
    expect("local a : bv32; l0 loop { do a := x; goto l0; }", "local a : bv32; l0 loop { do a := x; goto l0; }");
    expect("local a : bool; l0 { do a := any; goto l1; } l1 loop { when a goto l1; }",
           "local a : bool; l0 { do a := any; goto l1; } l1 loop { when a goto l1; }");
    /* a chain around a loop, dead as a whole, stays: each feeds the other */
    expect("local a : bv32; l0 { do a := 0:32; goto l1; } l1 loop { do a := a; x := 1:32; goto l1; }",
           "l0 { goto l1; } l1 loop { do x := 1:32; goto l1; }");
}

static void unreachable(void **state) {
    (void)state;
    expect("l0 loop { goto l0; } l1 { goto l2; } l2 { goto l1; } l3 error;", "l0 loop { goto l0; }");
    expect("l2 end; l0 loop { do x := 1:32; goto l0; }", "l0 end;");
}

static void joins(void **state) {
    (void)state;
    /* local work behind a shared access, and before it */
    expect("local t : bv32; l0 loop { do t := x; goto l1; } l1 { do t := (add t 1:32); goto l2; } l2 { do x := t; goto l0; }",
           "local t : bv32; l0 loop { do t := x; t := (add t 1:32); goto l1; } l1 { do x := t; goto l0; }");
    expect("local t : bv32; l0 loop { do t := self; goto l1; } l1 { do x := t; goto l0; }",
           "local t : bv32; l0 loop { do t := self; x := t; goto l0; }");
    /* two shared accesses are two steps */
    expect("l0 loop { do x := 1:32; goto l1; } l1 { do y := 1:32; goto l0; }",
           "l0 loop { do x := 1:32; goto l1; } l1 { do y := 1:32; goto l0; }");
    /* what may fault or block must not hide the write before it */
    expect("local t : bv32; l0 loop { do t := any; x := t; goto l1; } l1 { do t := (add nsw t 1:32); goto l2; } l2 { do y := t; goto l0; }",
           "local t : bv32; l0 loop { do t := any; x := t; goto l1; } l1 { do t := (add nsw t 1:32); y := t; goto l0; }");
    expect("local t : bool; l0 { do t := any; x := 1:32; goto l1; } l1 { do assume t; goto l2; } l2 end;",
           "local t : bool; l0 { do t := any; x := 1:32; goto l1; } l1 { do assume t; goto l2; } l2 end;");
    /* a guard, a loop head, a branch stay apart */
    expect("l0 { do x := 1:32; goto l1; } l1 { when (= self 1:32) goto l2; } l2 end;",
           "l0 { do x := 1:32; goto l1; } l1 { when (= self 1:32) goto l2; } l2 end;");
    expect("l0 { goto l1; } l1 loop { do x := 1:32; goto l1; }", "l0 { goto l1; } l1 loop { do x := 1:32; goto l1; }");
}

static void empty_actions(void **state) {
    (void)state;
    /* where branches meet and nothing happens, the meeting point goes */
    expect("l0 loop { when (= x 0:32) goto l1; when (= x 1:32) do y := 1:32; goto l2; } l1 { goto l3; } l2 { goto l3; }"
           "l3 { goto l0; }",
           "l0 loop { when (= x 0:32) goto l0; when (= x 1:32) do y := 1:32; goto l0; }");
    /* instructions are not copied to several ways in */
    expect("local t : bv32; l0 loop { when (= x 0:32) goto l3; when (= x 1:32) goto l3; } l3 { do t := 1:32; goto l4; }"
           "l4 { do x := t; y := t; goto l0; }",
           "local t : bv32; l0 loop { when (= x 0:32) goto l3; when (= x 1:32) goto l3; } l3 { do t := 1:32; x := t; y := t; goto l0; }");
    expect("l0 { goto l1; } l1 { goto l2; } l2 { goto l1; }", "l0 { goto l1; } l1 { goto l1; }");
}

static void ends(void **state) {
    (void)state;
    /* others may still look at x before the process ends; not so if they cannot move in between */
    expect("l0 { do x := 1:32; goto l1; } l1 { goto l2; } l2 halt;", "l0 { do x := 1:32; goto l1; } l1 { goto l2; } l2 halt;");
    expect("l0 { do x := 1:32; goto l1; } l1 atomic { goto l2; } l2 halt;", "l0 { do x := 1:32; goto l2; } l2 halt;");
    expect("l0 { do x := 1:32; goto l1; } l1 { goto l2; } l2 end;", "l0 { do x := 1:32; goto l2; } l2 end;");
    expect("l0 { do x := 1:32; goto l1; } l1 { goto l2; } l2 error;", "l0 { do x := 1:32; goto l2; } l2 error;");
}

static void atomic_sections(void **state) {
    (void)state;
    /* the gap between two atomic sections stays a gap */
    expect(
        "l0 { do x := 1:32; goto l1; } l1 atomic { do y := 1:32; goto l2; } l2 { goto l3; } l3 atomic { do x := 2:32; goto l4; } l4 end;",
        "l0 { do x := 1:32; goto l1; } l1 atomic { do y := 1:32; goto l2; } l2 { goto l3; } l3 atomic { do x := 2:32; goto l4; } l4 end;");
    /* into a section: nothing happened before, so the others may move earlier */
    expect("l0 loop { goto l1; } l1 { goto l2; } l2 atomic { do x := 2:32; goto l0; }",
           "l0 loop { goto l2; } l2 atomic { do x := 2:32; goto l0; }");
    /* inside a section only what is not seen is joined */
    expect("local t : bv32; l0 loop { do t := x; goto l1; } l1 atomic { do t := (add nsw t 1:32); goto l2; } l2 atomic { do y := t; goto "
           "l0; }",
           "local t : bv32; l0 loop { do t := x; t := (add nsw t 1:32); goto l2; } l2 atomic { do y := t; goto l0; }");
}

static void memory(void **state) {
    (void)state;
    /* an object nobody else knows is as good as a local, but its accesses may fault */
    expect("local t : bv32; l0 { do alive o; goto l1; } l1 { do store [o] := 1:32; goto l2; } l2 { do t := load [o]; goto l3; } l3 { do x "
           ":= t; goto l4; } l4 end;",
           "local t : bv32; l0 { do alive o; store [o] := 1:32; t := load [o]; x := t; goto l4; } l4 end;");
    expect("local t : bv32; l0 { do x := 1:32; goto l1; } l1 { do alive o; goto l2; } l2 { do store [o] := 1:32; goto l3; } l3 end;",
           "l0 { do x := 1:32; alive o; goto l2; } l2 { do store [o] := 1:32; goto l3; } l3 end;");
}

static void approximations(void **state) {
    (void)state;
    expect("l0 loop { goto l1; } l1 { approximates 0 goto l0; }", "l0 loop { approximates 0 goto l0; }");
    expect("l0 loop { approximates 1 goto l1; } l1 { approximates 0 goto l0; }",
           "l0 loop { approximates 1 goto l1; } l1 { approximates 0 goto l0; }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_assignments), cmocka_unit_test(unreachable),   cmocka_unit_test(joins),
        cmocka_unit_test(empty_actions),    cmocka_unit_test(ends),          cmocka_unit_test(atomic_sections),
        cmocka_unit_test(memory),           cmocka_unit_test(approximations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
