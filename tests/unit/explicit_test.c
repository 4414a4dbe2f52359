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
    EngineTask task = {.program = p, .budget = {5, UINT64_C(1) << 30}, .stats = &stats};
    Context *c = context_new(&task);
    if (all_values) inputs_try_all_small(c->inputs);
    Search *x = search_new(c, reduce, UINT64_C(1) << 30);
    Answer a = {.end = search_continue(x, 0.2, 20000)};
    a.states = search_states(x);
    search_free(x);
    a.replayed = a.end == SEARCH_FOUND && replay_check(p, c->trace, NULL);
    if (a.end == SEARCH_FOUND) {
        shorten_trace(c, c->trace, 1);
        a.replayed = a.replayed && replay_check(p, c->trace, NULL);
    }
    context_free(c);
    return a;
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
    *found += plain.end == SEARCH_FOUND;
    if (plain.end == SEARCH_EXHAUSTED) states[0] += plain.states, states[1] += other.states;
    program_free(p);
    program_free(defined);
    buf_free(&text);
}

static void compare_many(unsigned n, bool inputs, bool heap, bool undefined) {
    n = number_from("HEDDLE_FUZZ_N", n);
    unsigned seed = number_from("HEDDLE_SEED", 1), found = 0;
    uint64_t states[2] = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        Dice d = {.state = (seed + i) * 0x9e3779b97f4a7c15u + 88172645463325252u,
                  .width = inputs ? 4 : 2, .inputs = inputs, .heap = heap, .undefined = undefined};
        compare(seed + i, d, inputs, &found, states);
    }
    print_message("%u programs, %u with an error; where there is none %llu states, else %llu\n", n, found,
                  (unsigned long long)states[0], (unsigned long long)states[1]);
    assert_true(n < 100 || (found > n / 20 && found < n)); /* a test of both answers */
}

/* With reduction and without. */
static void test_reduction_agrees(void **state) {
    (void)state;
    compare_many(1000, false, false, false);
    compare_many(500, false, true, false);
}

/* All values of inputs, and those that stand for all; inputs chosen at once, and when they are read. */
static void test_inputs_agree(void **state) {
    (void)state;
    compare_many(300, true, false, false);
    compare_many(300, true, false, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction_agrees),
        cmocka_unit_test(test_inputs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
