/* SPDX-License-Identifier: Apache-2.0 */
/* The explicit engine: with and without reduction it must reach the same errors, on thousands of random programs;
   and its verdicts on small programs made for one point each. HEDDLE_FUZZ_N and HEDDLE_SEED change how many and which. */
#include "check/replay.h"
#include "engine/explicit/explicit.h"
#include "random_program.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after those four */
#include <cmocka.h>

static Program *parse(const char *text) {
    Buf error = {0};
    Program *p = program_parse("test.hir", text, &error);
    if (!p) fail_msg("%s\n%s", buf_string(&error), text);
    Buf complaint = {0};
    if (!program_check(p, &complaint)) fail_msg("%s\n%s", buf_string(&complaint), text);
    return p;
}

/* ---- reduction against no reduction ---- */

typedef struct Answer {
    SearchEnd end;
    uint64_t states;
    bool replayed;
} Answer;

static Answer search(const Program *p, bool reduce, bool all_values) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {5, UINT64_C(1) << 30}, .stats = &stats};
    Context *c = context_new(&task);
    if (all_values) inputs_try_all_small(c->inputs);
    Search *x = search_new(c, reduce, NULL, UINT64_C(1) << 30);
    Answer a = {.end = search_continue(x, 0.2, 20000)};
    a.states = search_states(x);
    search_free(x);
    a.replayed = a.end == SEARCH_FOUND && replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL);
    if (a.end == SEARCH_FOUND) {
        shorten_trace(c, c->trace, 1);
        a.replayed = a.replayed && replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL);
    }
    context_free(c);
    return a;
}

/* Interchangeable threads as one; *sorted: there were some. */
static Answer search_sorted(const Program *p, bool *sorted) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {5, UINT64_C(1) << 30}, .stats = &stats};
    Context *c = context_new(&task);
    Symmetry *y = symmetry_new(p, c->machine, c->reduction);
    Answer a = {.end = SEARCH_ASYMMETRIC};
    while (a.end == SEARCH_ASYMMETRIC) {
        *sorted = y && symmetry_is_left(y);
        Search *x = search_new(c, true, *sorted ? y : NULL, UINT64_C(1) << 30);
        a.end = search_continue(x, 2, 50000);
        a.states = search_states(x);
        search_free(x);
    }
    a.replayed = a.end == SEARCH_FOUND && replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL);
    symmetry_free(y);
    context_free(c);
    return a;
}

/* Executions of at most so many switches. */
static SearchEnd search_bounded(const Program *p, unsigned switches) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {5, UINT64_C(1) << 30, NULL}, .stats = &stats};
    Context *c = context_new(&task);
    Search *x = search_new(c, false, NULL, UINT64_C(1) << 30);
    search_count_switches(x, switches);
    SearchEnd end = search_continue(x, 0.2, 20000);
    bool cut = search_was_cut(x);
    search_free(x);
    if (end == SEARCH_FOUND) assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL));
    context_free(c);
    return end == SEARCH_EXHAUSTED && cut ? SEARCH_STATES : end; /* not all of them */
}

static unsigned number_from(const char *name, unsigned otherwise) {
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

/* The same with every uninitialised local an input: nothing else may be reached. */
static Program *parse_defined(const Buf *text) {
    Buf defined = {0};
    const char *rest = buf_string(text), *at;
    for (; (at = strstr(rest, "undefined")); rest = at + strlen("undefined")) {
        buf_bytes(&defined, rest, (size_t)(at - rest));
        buf_text(&defined, "any");
    }
    buf_text(&defined, rest);
    Program *p = parse(buf_string(&defined));
    buf_free(&defined);
    return p;
}

static bool is_answer(SearchEnd end) { return end == SEARCH_EXHAUSTED || end == SEARCH_FOUND; }

/* The program, searched in two ways: the answers must agree. Adds to found and to the states each needed. */
static void compare(unsigned seed, Dice d, bool inputs, unsigned *found, uint64_t *states) {
    Buf text = {0};
    random_program(&d, &text);
    Program *p = parse(buf_string(&text)), *defined = parse_defined(&text);
    Answer plain = search(d.undefined ? defined : p, inputs, true), other = search(p, true, !inputs);
    if (is_answer(plain.end) && is_answer(other.end)) { /* neither ran into a bound */
        bool agree = plain.end == other.end;
        bool replay_well = plain.end != SEARCH_FOUND || (plain.replayed && other.replayed);
        if (!agree || !replay_well) fprintf(stderr, "%s", buf_string(&text));
        if (!agree)
            fail_msg("seed %u: %s in full, %s otherwise", seed, plain.end == SEARCH_FOUND ? "error" : "none",
                     other.end == SEARCH_FOUND ? "error" : "none");
        if (!replay_well) fail_msg("seed %u: a trace does not replay", seed);
    }
    SearchEnd bounded = search_bounded(p, seed % 2 ? 1000 : seed % 5);
    if (is_answer(plain.end) && is_answer(bounded) && bounded != plain.end) {
        fprintf(stderr, "%s", buf_string(&text));
        fail_msg("seed %u: it makes a difference that switches are counted", seed);
    }
    *found += plain.end == SEARCH_FOUND;
    if (plain.end == SEARCH_EXHAUSTED) states[0] += plain.states, states[1] += other.states;
    program_free(p);
    program_free(defined);
    buf_free(&text);
}

static void compare_many(unsigned n, bool inputs, bool heap, bool undefined, bool locks) {
#ifdef __SANITIZE_ADDRESS__
    n /= 6; /* they take five times as long */
#endif
    n = number_from("HEDDLE_FUZZ_N", n);
    unsigned seed = number_from("HEDDLE_SEED", 1), found = 0;
    uint64_t states[2] = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        Dice d = {.state = (seed + i) * 0x9e3779b97f4a7c15u + 88172645463325252u,
                  .width = inputs ? 4 : 2,
                  .inputs = inputs,
                  .heap = heap,
                  .undefined = undefined,
                  .locks = locks};
        compare(seed + i, d, inputs, &found, states);
    }
    print_message("%u programs, %u with an error; where there is none %llu states, else %llu\n", n, found, (unsigned long long)states[0],
                  (unsigned long long)states[1]);
    assert_true(n < 100 || (found > n / 20 && found < n)); /* a test of both answers */
}

/* Interchangeable threads, and every thread as one of its own. */
static void test_symmetry_agrees(void **state) {
    (void)state;
    unsigned n = number_from("HEDDLE_FUZZ_N", 300), seed = number_from("HEDDLE_SEED", 1), found = 0, used = 0;
    uint64_t states[2] = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        Dice d = {.state = (seed + i) * 0x9e3779b97f4a7c15u + 88172645463325252u, .width = 2};
        Buf text = {0};
        bool sorted;
        random_same_program(&d, &text);
        Program *p = parse(buf_string(&text));
        Answer plain = search(p, true, false), other = search_sorted(p, &sorted);
        bool both = is_answer(plain.end) && is_answer(other.end), agree = plain.end == other.end;
        if (both && (!agree || (agree && plain.end == SEARCH_FOUND && !other.replayed))) {
            fprintf(stderr, "%s", buf_string(&text));
            fail_msg("seed %u: %s", seed + i,
                     agree                       ? "a trace does not replay"
                     : plain.end == SEARCH_FOUND ? "an error is lost"
                                                 : "an error is new");
        }
        found += plain.end == SEARCH_FOUND;
        used += sorted;
        if (both && sorted && plain.end == SEARCH_EXHAUSTED) states[0] += plain.states, states[1] += other.states;
        program_free(p);
        buf_free(&text);
    }
    print_message("%u programs, %u with an error, %u with interchangeable threads; %llu states, else %llu\n", n, found, used,
                  (unsigned long long)states[1], (unsigned long long)states[0]);
    assert_true(n < 100 || (found > n / 20 && found < n && used > n / 4 && states[1] < states[0]));
}

static SearchEnd sorted_end(const char *main_rest, const char *worker) {
    Buf text = {0};
    bool sorted;
    buf_printf(&text,
               "global x : bv8 = 0:8;\nobject m : global 4;\nthread main {\n  local a : bv32; local b : bv32;\n"
               "  start { do a := create w (0:64); goto l0; }\n  l0 { do b := create w (1:64); goto l1; }\n%s  bad error;\n}\n"
               "thread w count 2 {\n%s  bad error;\n}\n",
               main_rest, worker);
    Program *p = parse(buf_string(&text));
    Answer a = search_sorted(p, &sorted);
    assert_true(a.end != SEARCH_FOUND || a.replayed);
    program_free(p);
    buf_free(&text);
    return a.end;
}

/* What tells interchangeable threads apart. */
static void test_not_interchangeable(void **state) {
    (void)state;
    /* between two joins something happens that the other thread waits for */
    assert_int_equal(
        sorted_end("  l1 { do join (a); goto l2; }\n  l2 { do x := 1:8; goto l3; }\n  l3 { do join (b); goto l4; }\n  l4 end;\n",
                   "  start { when (= argument 0:64) goto l1; when (= argument 1:64) goto l2; }\n  l1 end;\n"
                   "  l2 { when (= x 1:8) goto bad; }\n"),
        SEARCH_FOUND);
    /* one of them is joined only */
    assert_int_equal(
        sorted_end(
            "  l1 { do join (b); goto l2; }\n  l2 { when (= x 0:8) goto bad; when (not (= x 0:8)) goto l3; }\n  l3 end;\n",
            "  start { when (= argument 0:64) goto l1; when (= argument 1:64) goto l2; }\n  l1 { do x := 1:8; goto l2; }\n  l2 end;\n"),
        SEARCH_FOUND);
    /* who owns a recursive mutex may lock it again */
    assert_int_equal(sorted_end("  l1 { do store [m] := 268435456:32; goto l2; }\n  l2 { do x := 1:8; goto l3; }\n  l3 end;\n",
                                "  start { when (= x 1:8) goto l1; }\n  l1 { do lock [m]; goto l2; }\n  l2 { do x := 2:8; goto l3; }\n"
                                "  l3 { do lock [m]; goto l4; }\n  l4 { do x := 3:8; goto bad; }\n"),
                     SEARCH_FOUND);
    /* joining is one of two ways on */
    assert_int_equal(
        sorted_end(
            "  l1 { do join (b); goto l2; goto l3; }\n  l2 { when (= x 0:8) goto bad; when (not (= x 0:8)) goto l3; }\n  l3 end;\n",
            "  start { when (= argument 0:64) goto l1; when (= argument 1:64) goto l2; }\n  l1 { do x := 1:8; goto l2; }\n  l2 end;\n"),
        SEARCH_FOUND);
    /* all are joined, and nothing happens in between: there is no error */
    assert_int_equal(sorted_end("  l1 { do join (a); goto l2; }\n  l2 { do join (b); goto l3; }\n  l3 { when (not (= x 2:8)) goto bad; "
                                "when (= x 2:8) goto l4; }\n  l4 end;\n",
                                "  start { do x := (add x 1:8); goto l1; }\n  l1 end;\n"),
                     SEARCH_EXHAUSTED);
}

/* With reduction and without. */
static void test_reduction_agrees(void **state) {
    (void)state;
    compare_many(600, false, false, false, false);
    compare_many(300, false, true, false, false);
    compare_many(600, false, false, false, true);
}

/* main initialises the mutex that the worker holds, and gets in. */
static void test_initialised_while_held(void **state) {
    (void)state;
    Program *p = parse(
        "global x : bv8 = 0:8;\nobject m : global 4;\n"
        "thread main {\n  local a : bv8;\n  start { do create w (0:64); goto l0; }\n  l0 { do store [m] := 0:32; goto l1; }\n"
        "  l1 { do lock [m]; goto l2; }\n  l2 { do a := x; goto l3; }\n  l3 { when (= a 1:8) goto bad; when (not (= a 1:8)) goto l4; }\n"
        "  l4 end;\n  bad error;\n}\n"
        "thread w count 1 {\n  start { do lock [m]; goto l1; }\n  l1 { do x := 1:8; goto l2; }\n  l2 { do x := 0:8; goto l3; }\n"
        "  l3 { do unlock [m]; goto l4; }\n  l4 end;\n}\n");
    assert_int_equal(search(p, true, true).end, SEARCH_FOUND);
    program_free(p);
}

/* A thread that is created later sees what the first one does in between. */
static void test_created_later(void **state) {
    (void)state;
    Program *p =
        parse("global x : bv8 = 0:8;\n"
              "thread main {\n  start { do create w (0:64); goto l0; }\n  l0 { do create v (0:64); goto l1; }\n  l1 end;\n}\n"
              "thread w count 1 {\n  start { do x := 1:8; goto l1; }\n  l1 { do x := 0:8; goto l2; }\n  l2 end;\n}\n"
              "thread v count 1 {\n  start { when (= x 1:8) goto bad; when (not (= x 1:8)) goto l1; }\n  l1 end;\n  bad error;\n}\n");
    assert_int_equal(search(p, true, true).end, SEARCH_FOUND);
    program_free(p);
}

/* All values of inputs, and those that stand for all; inputs chosen at once, and when they are read. */
static void test_inputs_agree(void **state) {
    (void)state;
    compare_many(150, true, false, false, false);
    compare_many(150, true, false, true, false);
}

/* ---- verdicts ---- */

static Verdict *verdict_of(const char *text, double seconds, Stats *stats) {
    Program *p = parse(text);
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {seconds, UINT64_C(1) << 30}, .stats = stats};
    Verdict *v = engine_explicit.run(&task);
    if (v->kind == VERDICT_UNSAFE) assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, v->trace, NULL));
    if (v->kind == VERDICT_UNKNOWN) assert_non_null(v->reason);
    program_free(p);
    return v;
}

static void expect(VerdictKind kind, const char *part, const char *text) {
    Verdict *v = verdict_of(text, 1, NULL);
    const char *said = v->kind == VERDICT_UNKNOWN ? v->reason : vec_len(v->notes) ? v->notes[0] : "";
    if (v->kind != kind || !strstr(said, part)) fail_msg("verdict %d: %s\n%s", (int)v->kind, said, text);
    verdict_free(v);
}

#define UNDEFINED_BRANCH "thread main { local a : bv8; l0 { do a := undefined; goto l1; }"

/* A guard that looks at an uninitialised local chooses its value: for itself, so both branches are to be tried. */
static void test_choosing_guards(void **state) {
    (void)state;
    static const char *const rest[] = {
        UNDEFINED_BRANCH "l1 { when (= a 3:8) goto ok; when (not (= a 3:8)) goto bad; } ok end; bad error; }",
        UNDEFINED_BRANCH "l1 { when (= a 3:8) goto bad; when (not (= a 3:8)) goto ok; } ok end; bad error; }"};
    for (unsigned i = 0; i < 2; i++) {
        Program *p = parse(rest[i]);
        assert_int_equal(search(p, true, false).end, SEARCH_FOUND);
        assert_int_equal(search(p, false, false).end, SEARCH_FOUND);
        program_free(p);
    }
}

static void test_verdicts(void **state) {
    (void)state;
    /* others may go on where one thread's every choice is refused */
    expect(VERDICT_UNSAFE, "",
           "thread main { local a : bv32; local b : bool; l0 { do a := create w (0:64); goto l1; }"
           "l1 { do b := any; assume false; goto l2; } l2 end; } thread w { l0 { goto bad; } bad error; }");
    /* the end of the process only takes away: what others do before it counts */
    expect(VERDICT_UNSAFE, "",
           "thread main { local a : bv32; l0 { do a := create w (0:64); goto l1; } l1 { goto l2; } l2 halt; }"
           "thread w { l0 { goto bad; } bad error; }");
    expect(VERDICT_SAFE, "null pointer dereference at t.c:3:5",
           "global x : bv32 = 0:32; thread main {"
           "l0 { do x := load [0:64] @\"t.c:3:5\"; goto bad; } bad error; }");
    expect(VERDICT_SAFE, "null pointer dereference at t.c:3:5",
           "global x : bv32 = 0:32; thread main {"
           "l0 { goto l1; goto l2; } l1 { do x := load [0:64] @\"t.c:3:5\"; goto l2; } l2 { when (= x 1:32) goto bad; when (= x 0:32) goto "
           "e; } e end; bad error; }");
    expect(VERDICT_UNKNOWN, "not modelled: inline assembly",
           "approximation unsupported \"inline assembly\" @\"u.c:2:3\";"
           "thread main { l0 { goto s; } s stop 0; }");
    expect(VERDICT_UNSAFE, "",
           "approximation over \"f\" result \"f\"; thread main { local a : bv32; local b : bv32;"
           "l0 { approximates 0 do a := any; goto l1; } l1 { do b := a; goto bad; } bad error; }");
    expect(
        VERDICT_UNKNOWN, "perhaps only through an approximation [H0809]",
        "approximation over \"f\" result \"f\"; thread main { local a : bv32;"
        "l0 { approximates 0 do a := any; goto l1; } l1 { when (= a 1:32) goto bad; when (not (= a 1:32)) goto e; } e end; bad error; }");
    expect(VERDICT_UNKNOWN, "perhaps only through an approximation [H0809]",
           "approximation over \"unknown function\"; thread main {"
           "l0 { approximates 0 goto bad; } bad error; }");
    expect(VERDICT_UNKNOWN, "too many values",
           "global x : bv32 = 0:32; global y : bv32 = 0:32; thread main { local a : bv32; local b : bv32;"
           "l0 { do a := any; b := any; goto l1; } l1 { when (= (mul a b) 1000001:32) do y := 1:32; goto e; } e end; }");
    expect(VERDICT_SAFE, "",
           "global x : bv32 = 0:32; thread main { local a : bv32;" /* a is assumed to be small */
           "l0 { do a := any; goto l1; } l1 { when (slt a 0:32) goto e; when (sle 0:32 a) goto l2; }"
           "l2 { when (ult 20:32 a) goto e; when (ule a 20:32) do x := (mul a a); goto l3; }"
           "l3 { when (= x 40:32) goto bad; when (not (= x 40:32)) goto e; } e end; bad error; }");
    expect(VERDICT_UNKNOWN, "threads are created without bound [H0803]",
           "thread main { local a : bv32;"
           "l0 { do a := create w (0:64) @\"c.c:9:1\"; goto l0; } } thread w count many { l0 end; }");
    expect(VERDICT_UNKNOWN, "has not visited all states within",
           "global x : bv64 = 0:64; thread main { l0 { do x := (add x 1:64); goto l0; } }");
}

/* A thread that loops for ever beside another must not keep that from being explored. */
static void test_loops(void **state) {
    (void)state;
    expect(VERDICT_UNSAFE, "",
           "global x : bv8 = 0:8; global y : bv8 = 0:8; thread main { local a : bv32; l0 { do a := create w (0:64); goto l1; }"
           "l1 { do x := (bxor x 1:8); goto l1; } } thread w { l0 { do y := 1:8; goto l1; } l1 { goto bad; } bad error; }");
    expect(VERDICT_UNSAFE, "",
           "global y : bv8 = 0:8; thread main { local a : bv32; local i : bv8; l0 { do a := create w (0:64); i := 0:8; goto l1; }"
           "l1 { do i := (add i 1:8); goto l1; } } thread w { l0 { do y := 1:8; goto l1; } l1 { goto bad; } bad error; }");
}

static void test_traces_are_short(void **state) {
    (void)state;
    Verdict *v = verdict_of("global x : bv32 = 0:32; global noise : bv32 = 0:32; thread main { local a : bv32;"
                            "l0 { do a := create w (0:64); goto l1; } l1 { do a := create n (0:64); goto l2; }"
                            "l2 { do x := 1:32; goto l3; } l3 end; }"
                            "thread w { l0 { when (= x 1:32) goto bad; } bad error; }"
                            "thread n { l0 { do noise := (add noise 1:32); goto l0; } }",
                            2, NULL);
    assert_int_equal(v->kind, VERDICT_UNSAFE);
    assert_int_equal(vec_len(v->trace->steps), 4);
    verdict_free(v);
}

/* Enough states to measure: bytes for each, and how many are needed with critical sections taken as one. */
static void test_states_are_small(void **state) {
    (void)state;
    Stats stats = {0};
    Verdict *v = verdict_of("global x : bv8 = 0:8; global y : bv8 = 0:8; thread main { local a : bv32;"
                            "l0 { do a := create w (0:64); goto l1; } l1 { do a := create w (0:64); goto l2; } l2 end; }"
                            "thread w count 2 { local t : bv8; local i : bv8; s { do i := 0:8; goto l0; }"
                            "l0 { when (ult i 30:8) do t := x; goto l1; when (not (ult i 30:8)) goto e; }"
                            "l1 { do x := (add t 1:8); i := (add i 1:8); goto l0; } e end; }",
                            120, &stats);
    assert_int_equal(v->kind, VERDICT_SAFE);
    assert_true(stats.states > 10000);
    assert_true(stats.state_bytes / stats.states < 100);
    verdict_free(v);
    expect(VERDICT_SAFE, "",
           "global x : bv8 = 0:8; object m : global 4; thread main { local a : bv32;"
           "l0 { do a := create w (0:64); goto l1; } l1 { do a := create w (0:64); goto l2; } l2 end; }"
           "thread w count 2 { local t : bv8; l0 { do lock [m]; goto l1; } l1 { do t := x; goto l2; } l2 { do x := (add t 1:8); goto l3; }"
           "l3 { do unlock [m]; goto e; } e end; }");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction_agrees),       cmocka_unit_test(test_symmetry_agrees),  cmocka_unit_test(test_not_interchangeable),
        cmocka_unit_test(test_initialised_while_held), cmocka_unit_test(test_created_later),    cmocka_unit_test(test_inputs_agree),
        cmocka_unit_test(test_choosing_guards),        cmocka_unit_test(test_verdicts),         cmocka_unit_test(test_loops),
        cmocka_unit_test(test_traces_are_short),       cmocka_unit_test(test_states_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
