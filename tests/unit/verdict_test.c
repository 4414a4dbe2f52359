/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts written and read back; every truncation and many corruptions of one are refused without harm. */
#include "ir_test.h"
#include "check/replay.h"
#include "result/verdict.h"
#include <stdio.h>
#include <stdlib.h>

static Verdict *sample(Exprs *exprs) {
    Position at = {.file = exprs_intern(exprs, "a.c"), .line = 3, .column = 5};
    Verdict *v = verdict_unknown(at, "because of %d things", 2);
    v->kind = VERDICT_UNSAFE;
    v->states = UINT64_C(1) << 40;
    v->trace = trace_new();
    vec_push(v->trace->initial, (u128)7 << 100);
    u128 *choices = NULL;
    vec_push(choices, 1);
    vec_push(choices, (u128)-1);
    trace_add(v->trace, 1, 4, NULL);
    trace_add(v->trace, 2, 0, choices);
    verdict_note(v, "note %s", "one");
    verdict_note(v, "%s", "");
    return v;
}

static char *written(const Verdict *v, size_t *size) {
    char *bytes;
    FILE *f = open_memstream(&bytes, size);
    assert_true(verdict_write(v, f));
    fclose(f);
    return bytes;
}

static Verdict *read_back(const char *bytes, size_t size, Exprs *exprs) {
    FILE *f = size ? fmemopen((void *)(uintptr_t)bytes, size, "r") : fopen("/dev/null", "r");
    Verdict *v = verdict_read(f, exprs);
    fclose(f);
    return v;
}

static void round_trip(void **state) {
    (void)state;
    Exprs *exprs = exprs_new();
    Verdict *v = sample(exprs);
    size_t size;
    char *bytes = written(v, &size);
    Verdict *w = read_back(bytes, size, exprs);
    assert_non_null(w);
    assert_int_equal(w->kind, VERDICT_UNSAFE);
    assert_string_equal(w->reason, "because of 2 things");
    assert_ptr_equal(w->position.file, v->position.file);
    assert_int_equal(w->position.line, 3);
    assert_int_equal(w->states, v->states);
    assert_true(w->trace->initial[0] == (u128)7 << 100);
    assert_int_equal(vec_len(w->trace->steps), 2);
    assert_int_equal(w->trace->steps[1].thread, 2);
    assert_true(w->trace->steps[1].choices[1] == (u128)-1);
    assert_int_equal(vec_len(w->notes), 2);
    assert_string_equal(w->notes[0], "note one");
    assert_string_equal(w->notes[1], "");
    verdict_free(w);
    verdict_free(v);
    free(bytes);
    exprs_free(exprs);
}

static void broken_input(void **state) {
    (void)state;
    Exprs *exprs = exprs_new();
    Verdict *v = sample(exprs);
    size_t size;
    char *bytes = written(v, &size);
    for (size_t n = 0; n < size; n++) assert_null(read_back(bytes, n, exprs));
    for (size_t i = 0; i < size; i++) /* any answer but no harm */
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            verdict_free(read_back(bytes, size, exprs));
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    verdict_free(v);
    free(bytes);
    exprs_free(exprs);
}

/* ---- replay ---- */

static void replays(void **state) {
    (void)state;
    Program *p = program_of("approximation over \"unknown\"; global x : bv8 = 0:8;"
                            "thread main { local t : bv32; a { do t := create w (0:64); goto b; }"
                            "  b { when (= x 7:8) goto bad; } bad error \"no\"; }"
                            "thread w { a { do x := any; goto e; approximates 0 do x := 7:8; goto e; } e end; }");
    Buf why = {0};
    Trace *t = trace_new();
    trace_add(t, 1, 0, NULL);
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, &why)); /* no error yet */
    u128 *choices = NULL;
    vec_push(choices, 7);
    trace_add(t, 2, 0, choices);
    trace_add(t, 1, 1, NULL);
    assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, NULL));
    t->steps[1].choices[0] = 8;
    buf_clear(&why);
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, &why));
    assert_non_null(strstr(buf_string(&why), "not enabled [H1054]"));
    t->steps[1].action = 1;
    buf_clear(&why);
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, &why));
    assert_non_null(strstr(buf_string(&why), "over-approximation [H1057]"));
    t->steps[1].action = 0;
    vec_clear(t->steps[1].choices);
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, NULL));
    t->steps[1].thread = 3;
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, NULL));
    t->steps[1].thread = 2;
    t->steps[1].action = 99;
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, NULL));
    trace_free(t);
    buf_free(&why);
    program_free(p);
}

static void expect_refused(const Program *p, Property property, Trace *t, TraceEnd end, const char *code) {
    Buf why = {0};
    t->end = end;
    assert_false(replay_check(p, &(Question){.property = property}, t, &why));
    if (!strstr(buf_string(&why), code)) fail_msg("%s is not %s", buf_string(&why), code);
    buf_free(&why);
}

/* Each end of a trace has a reason if the trace does not end in that way. */
static void refuses_ends(void **state) {
    (void)state;
    Program *p =
        program_of("global x : bv8 = 0:8; thread main { local t : bv32; a { do t := create w (0:64); goto b; } b { do x := 1:8; goto c; }"
                   "  c { goto c; } }"
                   "thread w { local y : bv8; a { do y := 2:8; goto b; } b { do y := 3:8; goto c; } c end; }");
    Trace *t = trace_new();
    trace_add(t, 1, 0, NULL);
    trace_add(t, 2, 0, NULL);
    trace_add(t, 1, 1, NULL);
    expect_refused(p, PROPERTY_UNREACH_CALL, t, TRACE_ERROR, "[H1059]");
    expect_refused(p, PROPERTY_NO_OVERFLOW, t, TRACE_FAULT, "[H1060]");
    expect_refused(p, PROPERTY_NO_DEADLOCK, t, TRACE_DEADLOCK, "[H1061]");
    expect_refused(p, PROPERTY_VALID_MEMSAFETY, t, TRACE_LEAK, "[H1062]");
    expect_refused(p, PROPERTY_TERMINATION, t, TRACE_ENDLESS, "[H1063]");
    expect_refused(p, PROPERTY_NO_DATA_RACE, t, TRACE_RACE, "[H1065]");
    expect_refused(p, PROPERTY_NO_DATA_RACE, t, TRACE_UNORDERED, "[H1066]");
    trace_add(t, 1, 2, NULL);
    t->loop = 3;
    expect_refused(p, PROPERTY_TERMINATION, t, TRACE_FAIR, "[H1064]");
    t->end = TRACE_ENDLESS;
    assert_true(replay_check(p, &(Question){.property = PROPERTY_TERMINATION}, t, NULL));
    expect_refused(p, PROPERTY_NO_OVERFLOW, t, TRACE_ENDLESS, "[H1067]");
    trace_free(t);
    program_free(p);
    p = program_of("thread main { local x : bv8; a { do x := 1:8; goto b; } b end; }");
    t = trace_new();
    expect_refused(p, PROPERTY_NO_DEADLOCK, t, TRACE_DEADLOCK, "[H1068]");
    trace_free(t);
    program_free(p);
    p = program_of("global x : bv8; thread main { local t : bv8; a { do t := x; goto b; } b end; }");
    t = trace_new();
    expect_refused(p, PROPERTY_UNREACH_CALL, t, TRACE_ERROR, "[H1055]");
    trace_free(t);
    program_free(p);
}

static void notes_of_others(void **state) {
    (void)state;
    Position here = {.file = "a.c", .line = 3, .column = 5}, there = {.file = "a.c", .line = 4, .column = 1};
    Verdict *v = verdict_unknown(here, "no proof"), *same_place = verdict_unknown(here, "nor here"),
            *other = verdict_unknown(there, "not modelled: asm"), *again = verdict_unknown(there, "an execution reaches it"),
            *same = verdict_unknown((Position){0}, "no proof");
    verdict_note_reason(v, same_place);
    verdict_note_reason(v, same);
    verdict_note_reason(v, other);
    verdict_note_reason(v, again);
    assert_int_equal(vec_len(v->notes), 1);
    assert_string_equal(v->notes[0], "a.c:4:1: not modelled: asm");
    Verdict *all[] = {v, same_place, other, again, same};
    for (unsigned i = 0; i < 5; i++) verdict_free(all[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(broken_input), cmocka_unit_test(replays),
                                       cmocka_unit_test(refuses_ends), cmocka_unit_test(notes_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
