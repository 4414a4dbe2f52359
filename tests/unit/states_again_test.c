/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a claim that all states were visited: it visits them without reduction, finds a violation that was missed, and says nothing of what is
   too large. */
#include "ir_test.h"
#include "process/states_again.h"

static const char counter[] = "global n : bv32 = 0:32;\n"
                              "thread main { local t : bv32; local u : bv32;\n"
                              "  l0 { do t := create adder (0:64); goto l1; }\n"
                              "  l1 { do u := create adder (0:64); goto l2; }\n"
                              "  l2 { do join (t); goto l3; }\n"
                              "  l3 { do join (u); goto l4; }\n"
                              "  l4 { when (= n %s:32) goto bad; when (not (= n %s:32)) goto l5; }\n"
                              "  bad error \"sum\"; l5 end; }\n"
                              "thread adder count 2 { local x : bv32;\n"
                              "  l0 { do x := n; goto l1; } l1 { do n := (add x 1:32); goto l2; } l2 end; }\n";

/* An error if n is that in the end: it is 1 or 2. */
static Program *counting(const char *wrong) {
    char text[sizeof counter + 20];
    snprintf(text, sizeof text, counter, wrong, wrong);
    return program_of(text);
}

static Verdict *second_run(const Program *p, uint64_t claimed, Stats *stats) {
    Stats unused = {0};
    Verdict claim = {.kind = VERDICT_SAFE, .proof = PROOF_EXHAUSTED, .states = claimed};
    EngineTask first = {.question = &(Question){0}, .program = p, .budget = {20, UINT64_C(1) << 30}, .stats = &unused};
    EngineTask task = states_check_task(&first, &claim, stats);
    assert_true(states_need_check(&engine_explicit, p, &claim));
    return engine_explicit.run(&task);
}

static Verdict *claim(void) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_EXHAUSTED;
    return v;
}

static void visited(void **state) {
    (void)state;
    Program *p = counting("3");
    Stats first = {0}, stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {20, UINT64_C(1) << 30}, .stats = &first};
    Verdict *v = engine_explicit.run(&task);
    assert_int_equal(v->kind, VERDICT_SAFE);
    assert_false(v->checked);
    assert_int_equal(first.runs, 0); /* they are few: there is no need to hunt first */
    Verdict *second = second_run(p, v->states, &stats);
    assert_int_equal(second->kind, VERDICT_SAFE);
    assert_true(stats.again > v->states); /* there are more without reduction */
    v = states_confirm(v, second);
    assert_true(v->checked);
    verdict_free(v);
    program_free(p);
}

static void missed(void **state) {
    (void)state;
    Program *p = counting("1");
    Stats stats = {0};
    Verdict *v = states_confirm(claim(), second_run(p, 10, &stats));
    assert_int_equal(v->kind, VERDICT_UNSAFE);
    assert_non_null(v->trace);
    verdict_free(v);
    program_free(p);
}

static void too_many(void **state) {
    (void)state;
    Program *p = counting("3");
    Stats stats = {0};
    Verdict *second = second_run(p, 1000000000, &stats);
    assert_int_equal(second->kind, VERDICT_UNKNOWN);
    assert_true(stats.runs > 0); /* executions at random */
    Verdict *v = states_confirm(claim(), second);
    assert_int_equal(v->kind, VERDICT_SAFE);
    assert_false(v->checked);
    verdict_free(v);
    v = states_confirm(claim(), NULL);
    assert_int_equal(v->kind, VERDICT_SAFE);
    assert_false(v->checked);
    verdict_free(v);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(visited), cmocka_unit_test(missed), cmocka_unit_test(too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
