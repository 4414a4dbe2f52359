/* SPDX-License-Identifier: Apache-2.0 */
/* Does anybody notice that a store is late? Small programs in each of which there is one way to, or none; and random ones of three threads, whose outcomes under TSO are those under
   sequential consistency where nobody does. ROUNDS=n SEED=n tries others. */
#define MAX_STATES 60000
#include "explore.h"
#include "random_program.h"
#include "passes/program/robustness_monitor.h"
#include "passes/program/mhp.h"
#include "weak_explore.h"

/* A stores to x, then reads y. What the others do, and what main does when it has created them, is the argument. */
#define GLOBALS "global x : bv2 = 0:2; global y : bv2 = 0:2; global z : bv2 = 0:2; global w : bv2 = 0:2; object m : global 4;\n"
#define MAIN(more)                                   \
    "thread main { local t : bv32; local r : bv2;\n" \
    "  c0 { do create a (0:64); goto c1; } c1 { do t := create b (0:64); goto c2; } c2 { do create c (0:64); goto s0; }\n" more "}\n"
#define A "thread a { local r : bv2; l0 { do x := 1:2; goto l1; } l1 { do r := y; goto l2; } l2 end; }\n"
#define B(text) "thread b { local r : bv2; local s : bv2; l0 {" text " } last end; }\n"
#define C(text) "thread c { local r : bv2; local s : bv2; l0 {" text " } last end; }\n"
#define IDLE "goto last;"

/* Errors of what `robustness_monitor` makes: whether there are any. */
static bool noticed(const char *text) {
    Seen seen = {0};
    Buf error = {0};
    Program *p = program_of(text);
    p->memory = MEMORY_TSO;
    StoreDelays *d = mhp_delays(p);
    assert_true(d->any);
    Program *made = robustness_monitor(p, d);
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

/* ---- random programs ---- */

enum { OPS = 4, THREADS = 3, MOST_OUTCOMES = 4096 };

static void one_of_three(Dice *d, Buf *out, unsigned t, unsigned *value) {
    unsigned n = 2 + roll(d, OPS - 1);
    buf_printf(out, "thread t%u { local r0 : bv4; local r1 : bv4; local r2 : bv4; local r3 : bv4;\n  s { do", t);
    for (unsigned i = 0; i < OPS; i++) buf_printf(out, " r%u := 0:4;", i);
    buf_text(out, " goto l0; }\n");
    for (unsigned i = 0; i < n; i++) {
        char v = "xyz"[roll(d, 3)], u = "xyz"[roll(d, 3)];
        unsigned kind = roll(d, 12);
        buf_printf(out, "  l%u%s {", i, i && i + 1 < n && roll(d, 12) == 0 ? " atomic" : "");
        if (i && roll(d, 3) == 0) buf_printf(out, " when (= r%u 0:4) goto l%u; when (not (= r%u 0:4))", i - 1, i + 1, i - 1);
        if (kind < 5) buf_printf(out, " do %c := %u:4;", v, (*value)++ % 15 + 1);
        else if (kind < 10) buf_printf(out, " do r%u := %c;", i, v);
        else if (kind < 11) buf_text(out, " do fence;");
        else buf_printf(out, " do r%u := %c; %c := %u:4;", i, v, u, (*value)++ % 15 + 1);
        buf_printf(out, " goto l%u; }\n", i + 1);
    }
    buf_printf(out, "  l%u { do o%u := (concat (concat r0 r1) (concat r2 r3)); goto last; } last end; }\n", n, t);
}

static void three_threads(Dice *d, Buf *out) {
    unsigned value = 0;
    buf_text(out, "global x : bv4 = 0:4; global y : bv4 = 0:4; global z : bv4 = 0:4;\n");
    for (unsigned t = 0; t < THREADS; t++) buf_printf(out, "global o%u : bv16 = 0:16;\n", t);
    buf_text(out, "thread main {");
    for (unsigned t = 0; t < THREADS; t++) buf_printf(out, " c%u { do create t%u (0:64); goto c%u; }", t, t, t + 1);
    buf_printf(out, " c%u; }\n", THREADS);
    for (unsigned t = 0; t < THREADS; t++) one_of_three(d, out, t, &value);
}

typedef struct Outcomes {
    const Program *program;
    uint64_t list[MOST_OUTCOMES];
    unsigned n;
} Outcomes;

/* What was read, and what is left. */
static void note_outcome(void *context, Machine *m, const State *s) {
    Outcomes *o = context;
    uint64_t packed = 0;
    for (size_t i = 0; i < 3 + THREADS; i++)
        packed = packed << (i < 3 ? 4 : 16) | (uint64_t)state_variable(m, s, o->program->globals[i], 1).bits;
    for (unsigned i = 0; i < o->n; i++)
        if (o->list[i] == packed) return;
    if (o->n < MOST_OUTCOMES) o->list[o->n++] = packed;
}

static Outcomes *outcomes_of(Program *p, MemoryModel model, bool *cut) {
    Outcomes *o = calloc(1, sizeof *o);
    o->program = p;
    p->memory = model;
    *cut |= weak_explore_ends(p, OPS, note_outcome, o).cut || o->n == MOST_OUTCOMES;
    return o;
}

static bool has_all(const Outcomes *o, const Outcomes *of) {
    for (unsigned i = 0; i < of->n; i++) {
        unsigned k = 0;
        while (k < o->n && o->list[k] != of->list[i]) k++;
        if (k == o->n) return false;
    }
    return true;
}

typedef struct Count {
    unsigned same, robust, weaker, needless;
} Count;

static void compare_one(Dice *dice, Count *count) {
    Buf text = {0};
    bool cut = false;
    three_threads(dice, &text);
    Program *p = program_of(buf_string(&text));
    p->memory = MEMORY_TSO;
    StoreDelays *d = mhp_delays(p);
    count->same += !d->any;
    if (d->any) {
        Outcomes *sc = outcomes_of(p, MEMORY_SC, &cut), *tso = outcomes_of(p, MEMORY_TSO, &cut);
        bool more = !has_all(sc, tso), notices = noticed(buf_string(&text));
        if (!cut && !notices && more) fail_msg("nobody notices that there are other outcomes, in\n%s", buf_string(&text));
        count->robust += !notices;
        count->weaker += more;
        count->needless += notices && !more && !cut;
        free(sc);
        free(tso);
    }
    delays_free(d);
    program_free(p);
    buf_free(&text);
}

static void test_random(void **state) {
    (void)state;
    const char *rounds = getenv("ROUNDS"), *seed = getenv("SEED");
    Count count = {0};
    for (unsigned i = 0; i < (rounds ? (unsigned)atoi(rounds) : 150); i++) {
        Dice d = {.state = (seed ? (uint64_t)atoi(seed) : 1) * 1000003 + i * 7919 + 1, .width = 2};
        for (unsigned k = 0; k < 5; k++) roll(&d, 2);
        compare_one(&d, &count);
    }
    print_message(
        "%u with no delays, %u where nobody notices one; %u with other outcomes than under SC, %u without where somebody notices a delay\n",
        count.same, count.robust, count.weaker, count.needless);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noticed), cmocka_unit_test(test_read_back),   cmocka_unit_test(test_sections),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_not_noticed), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
