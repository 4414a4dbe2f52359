/* SPDX-License-Identifier: Apache-2.0 */
/* What C leaves open becomes any value, and what it does not stays: each case is the body of thread main, with what is expected of it. */
#include "ir_test.h"
#include "passes/loaded.h"
#include "passes/program/program_passes.h"

static const char head[] = "object a : global 16; object b : global 16; object heap : heap; object f : function; object h : function;\n";
static const char tail[] = "thread w count many { e end; }\n";

static Program *program_with(const char *body) {
    Buf text = {0};
    buf_printf(&text, "%s thread main { %s } %s", head, body, tail);
    Program *p = program_of(buf_string(&text));
    buf_free(&text);
    return p;
}

static size_t choices(const Program *p) {
    size_t n = 0;
    const Template *t = p->templates[0];
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) n += t->actions[a].instrs[i].kind == INSTR_HAVOC;
    return n;
}

/* How many values are left open: chosen. More than one are over-approximations, a single one is not. The program stays well-formed. */
static void expect_open_over(const char *body, size_t count, size_t over) {
    Program *p = program_with(body);
    Buf complaint = {0};
    for (size_t i = 0; i < vec_len(p->objects); i++) p->objects[i]->align = 8;
    bool changed = unspecified_values(p);
    if (!program_check(p, &complaint)) fail_msg("%s", buf_string(&complaint));
    assert_int_equal(changed, count > 0);
    assert_int_equal(choices(p), count);
    assert_int_equal(vec_len(p->approximations), count > 1 ? count : over);
    program_free(p);
}

static void expect_open(const char *body, size_t count) { expect_open_over(body, count, 0); }

#define COMPARE(condition)                \
    "local p : bv64; local q : bv64;"     \
    "l0 { do p := " PLACES "; goto l1; }" \
    "l1 { when " condition " goto l2; when (not " condition ") goto l3; } l2 end; l3 end;"

static void comparisons(void **state) {
    (void)state;
#define PLACES "a; q := b"
    expect_open(COMPARE("(= p q)"), 0);    /* starts of two objects differ */
    expect_open(COMPARE("(= p 0:64)"), 0); /* null */
    expect_open(COMPARE("(ult p q)"), 1);  /* their order is open */
    expect_open(COMPARE("(= (sub p q) 16:64)"), 1);
    expect_open_over(COMPARE("(= p 12345678901:64)"), 1, 1); /* a number of the program's own */
    expect_open(COMPARE("(= (band p 7:64) 0:64)"), 0);       /* alignment */
    expect_open(COMPARE("(= (band p 15:64) 0:64)"), 1);
    expect_open(COMPARE("(= (extract 0 32 p) 0:32)"), 1);
#undef PLACES
#define PLACES "(add a 16:64); q := b"
    expect_open(COMPARE("(= p q)"), 1); /* the end of one may be the start of the other */
#undef PLACES
#define PLACES "(add a 4:64); q := (add a 8:64)"
    expect_open(COMPARE("(ult p q)"), 0); /* within one object */
    expect_open(COMPARE("(= (sub q p) 4:64)"), 0);
#undef PLACES
#define PLACES "f; q := h"
    expect_open(COMPARE("(= p q)"), 0);
#undef PLACES
}

/* An open value in an action that others see: what was before it stays one step with what follows. */
static void inside_an_action(void **state) {
    (void)state;
    expect_open("local p : bv64; local n : bv64; l0 { do p := a; store [a] := 1:32; n := (lshr p 4:64); store [b] := n; goto l1; } l1 end;",
                1);
    Program *p = program_with(
        "local p : bv64; local n : bv64; l0 { do p := a; store [a] := 1:32; n := (lshr p 4:64); store [b] := n; goto l1; } l1 end;");
    unspecified_values(p);
    const Template *t = p->templates[0];
    const Location *middle = &t->locations[t->actions[t->locations[t->entry].out[0]].target];
    assert_true(middle->atomic);
    assert_int_equal(vec_len(middle->out), 3); /* exact; as objects lie here; any */
    program_free(p);
}

/* The objects of locals that never live together may have one place; those that do have not. */
static void lives(void **state) {
    (void)state;
    const char *apart = "object x : local 4; object y : local 4; local p : bv64; local q : bv64;"
                        "l0 { do alive x; p := x; dead x; alive y; q := y; goto l1; }"
                        "l1 { when (= p q) goto l2; when (not (= p q)) goto l2; } l2 end;";
    const char *together = "object x : local 4; object y : local 4; local p : bv64; local q : bv64;"
                           "l0 { do alive x; p := x; alive y; q := y; goto l1; }"
                           "l1 { when (= p q) goto l2; when (not (= p q)) goto l2; } l2 end;";
    expect_open(apart, 1);
    expect_open(together, 0);
}

static void thread_ids(void **state) {
    (void)state;
#define THREADS(first, second, condition)                                                      \
    "local t : bv32; local s : bv32; local p : bv64; local q : bv64;"                          \
    "l0 { do t := create w (0:64); p := (zext 64 t); goto l1; }"                               \
    "l1 { do " first "; goto l2; } l2 { do s := create w (0:64); q := (zext 64 s); goto l3; }" \
    "l3 { when " condition " goto l4; when (not " condition ") goto l4; } l4 end;"
    expect_open(THREADS("p := p", "", "(= p q)"), 0);
    expect_open_over(THREADS("join (t)", "", "(= p q)"), 1, 1);
    expect_open(THREADS("p := p", "", "(= q (add p 1:64))"), 2); /* the sum, and what it is compared with */
    expect_open(THREADS("p := p", "", "(= p 0:64)"), 0);
}

/* What a choice made needless goes, too: after loading, nothing is left to clean. */
static void cleaned_again(void **state) {
    (void)state;
    Program *p = program_with("local p : bv64; local q : bv64; l0 { do p := (add a 4:64); q := b; goto l1; }"
                              "l1 { when (ult p q) goto l2; when (not (ult p q)) goto l3; } l2 error; l3 end;");
    Program *loaded = loaded_program(&(Loaded){.program = p, .c = true}, &(Question){0}, "unspecified-values");
    assert_int_equal(choices(loaded), 1);
    program_free(loaded);
    loaded = loaded_program(&(Loaded){.program = p, .c = true}, &(Question){0}, NULL);
    Buf text = {0};
    program_print(&text, loaded);
    assert_null(strstr(buf_string(&text), " action ")); /* they are numbered in the order of their locations */
    program_clean(loaded);
    assert_printed(loaded, buf_string(&text));
    buf_free(&text);
    program_free(loaded);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons), cmocka_unit_test(inside_an_action), cmocka_unit_test(lives),
        cmocka_unit_test(thread_ids),  cmocka_unit_test(cleaned_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
