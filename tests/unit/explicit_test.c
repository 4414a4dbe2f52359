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

static Answer search(const Program *p, bool reduce) {
    Stats stats = {0};
    EngineTask task = {.program = p, .budget = {5, UINT64_C(1) << 30}, .stats = &stats};
    Context *c = context_new(&task);
    Search *x = search_new(c, reduce, UINT64_C(1) << 30);
    Answer a = {.end = search_continue(x, 5, 200000)};
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

static void test_reduction_agrees(void **state) {
    (void)state;
    unsigned n = number_from("HEDDLE_FUZZ_N", 1500), seed = number_from("HEDDLE_SEED", 1), found = 0;
    uint64_t states[2] = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        Dice d = {.state = (seed + i) * 0x9e3779b97f4a7c15u + 88172645463325252u};
        Buf text = {0};
        random_program(&d, &text);
        Program *p = parse(buf_string(&text));
        Answer plain = search(p, false), reduced = search(p, true);
        if (plain.end == SEARCH_EXHAUSTED || plain.end == SEARCH_FOUND) {
            bool agree = plain.end == reduced.end;
            bool replay_well = plain.end != SEARCH_FOUND || (plain.replayed && reduced.replayed);
            if (!agree || !replay_well) fprintf(stderr, "%s", buf_string(&text));
            if (!agree)
                fail_msg("seed %u: %s without reduction, %s with it", seed + i,
                         plain.end == SEARCH_FOUND ? "error" : "none", reduced.end == SEARCH_FOUND ? "error" : "none");
            if (!replay_well) fail_msg("seed %u: a trace does not replay", seed + i);
        }
        found += plain.end == SEARCH_FOUND;
        if (plain.end == SEARCH_EXHAUSTED) states[0] += plain.states, states[1] += reduced.states;
        program_free(p);
        buf_free(&text);
    }
    print_message("%u programs, %u with an error; where there is none %llu states, %llu reduced\n", n, found,
                  (unsigned long long)states[0], (unsigned long long)states[1]);
    assert_true(n < 100 || (found > n / 20 && found < n)); /* a test of both answers */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
