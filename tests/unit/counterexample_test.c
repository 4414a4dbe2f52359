/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of a small program: told as a counterexample, written as a schedule and read back. */
#include "base/vec.h"
#include "check/replay.h"
#include "explain/explain_trace.h"
#include "output/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char text[] = "global n : bv32 = 3:32 signed type \"int\";\n"
                           "object s : global 16 shape \"{v@0:i4,next@8:p}\";\n"
                           "object buf : global 8 = \"00000000ffffffff\" shape \"[2x4]i4\";\n"
                           "object site : heap;\n"
                           "thread main {\n"
                           "  local x : bv32 signed;\n"
                           "  local t : bv32 signed temporary;\n"
                           "  local p : bv64;\n"
                           "  l0 @\"a.c:1:1\" { do t := any; x := t; goto l1; }\n"
                           "  l1 @\"a.c:2:1\" { do n := (add x 1:32); goto l2; }\n"
                           "  l2 @\"a.c:2:1\" { do n := (add n 1:32); goto l3; }\n"
                           "  l3 @\"a.c:3:1\" { do p := alloc site size 8:64; goto l4; }\n"
                           "  l4 @\"a.c:4:1\" { do store [(add s 8:64)] := p; goto l5; }\n"
                           "  l5 @\"a.c:5:1\" { do store [(add buf 4:64)] := 7:32; goto l6; }\n"
                           "  l6 @\"a.c:6:3\" { goto bad; }\n"
                           "  bad error \"wrong\" @\"a.c:6:3\";\n"
                           "}\n";

static const char bits[] = "global |f.{a,b}| : bv8 = 1:8 shape \"{a@0:b0+1,b@0:s1+3}\";\n"
                           "global d : bv64 = 0:64 shape \"f8\";\n"
                           "object s : global 8 shape \"{x@0:i4,@4:{low@0:b0+12,high@1:b4+4}}\";\n"
                           "thread main {\n"
                           "  local t : bv8 temporary;\n"
                           "  l0 @\"a.c:1:1\" { do t := |f.{a,b}|; goto l1; }\n"
                           "  l1 @\"a.c:2:1\" { do |f.{a,b}| := 12:8; goto l2; }\n"
                           "  l2 @\"a.c:3:1\" { do d := 4591870180066957722:64; goto l3; }\n"
                           "  l3 @\"a.c:4:1\" { do store [(add s 4:64)] := 36863:16; goto l4; }\n"
                           "  l4 @\"a.c:5:1\" { do |f.{a,b}| := 12:8; goto l5; }\n"
                           "  l5 @\"a.c:6:3\" { goto bad; }\n"
                           "  bad error \"wrong\" @\"a.c:6:3\";\n"
                           "}\n";

static Program *parsed(const char *source) {
    Buf error = {0};
    Program *p = program_parse("story.hir", source, &error);
    if (!p) print_message("%s\n", buf_string(&error));
    assert_non_null(p);
    return p;
}

static Program *program(void) { return parsed(text); }

static Trace *trace(void) {
    Trace *t = trace_new();
    for (unsigned i = 0; i < 7; i++) {
        u128 *choices = NULL;
        if (i == 0) vec_push(choices, 0xfffffffe);
        if (i == 3) vec_push(choices, 0);
        trace_add(t, 1, i, choices);
    }
    return t;
}

static const TraceLineEvent *event(const Counterexample *s, unsigned line) {
    for (size_t i = 0; i < vec_len(s->moments); i++)
        if (s->moments[i].position.line == line && vec_len(s->moments[i].events)) return &s->moments[i].events[0];
    return NULL;
}

static void is_event(const TraceLine *m, size_t i, const char *name, const char *before, const char *value) {
    assert_true(i < vec_len(m->events));
    assert_string_equal(m->events[i].name, name);
    assert_string_equal(m->events[i].value, value);
    assert_string_equal(m->events[i].before ? m->events[i].before : "", before);
}

/* Bit-fields one by one, floating numbers as such. */
static void test_values(void **state) {
    (void)state;
    Program *p = parsed(bits);
    Trace *t = trace_new();
    for (unsigned i = 0; i < 6; i++) trace_add(t, 1, i, NULL);
    Counterexample *s = explain_trace(p, &(Question){0}, t);
    assert_int_equal(vec_len(s->moments), 6);
    is_event(&s->moments[0], 0, "f", "", "{a = 1, b = 0}");
    is_event(&s->moments[1], 0, "f.a", "1", "0");
    is_event(&s->moments[1], 1, "f.b", "0", "-2");
    is_event(&s->moments[2], 0, "d", "0.0", "0.1");
    is_event(&s->moments[3], 0, "s.low", "0", "4095");
    is_event(&s->moments[3], 1, "s.high", "0", "8");
    is_event(&s->moments[4], 0, "f", "{a = 0, b = -2}", "{a = 0, b = -2}");
    counterexample_free(s);
    trace_free(t);
    program_free(p);
}

static void test_counterexample(void **state) {
    (void)state;
    Program *p = program();
    Trace *t = trace();
    Buf why_not = {0};
    assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, &why_not));
    Counterexample *s = explain_trace(p, &(Question){0}, t);
    assert_string_equal(s->error, "wrong");
    assert_int_equal(s->position.line, 6);
    assert_int_equal(s->switches, 0);
    assert_string_equal(event(s, 2)->name, "n");
    assert_string_equal(event(s, 2)->before, "3");
    assert_string_equal(event(s, 2)->value, "-1");
    assert_string_equal(event(s, 4)->name, "s.next");
    assert_string_equal(event(s, 4)->before, "NULL");
    assert_string_equal(event(s, 4)->value, "&site#1");
    assert_string_equal(event(s, 5)->name, "buf[1]");
    assert_string_equal(event(s, 5)->before, "-1");
    assert_string_equal(event(s, 5)->value, "7");
    assert_int_equal(vec_last(s->moments).position.line, 6);
    counterexample_free(s);
    trace_free(t);
    program_free(p);
    buf_free(&why_not);
}

static void test_schedule(void **state) {
    (void)state;
    Program *p = program();
    Trace *t = trace(), *again;
    Buf error = {0};
    char *written = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&written, &size);
    schedule_write(f, p, "unreach-call", t, NULL);
    fclose(f);
    again = schedule_read("t", written, p, "unreach-call", &error);
    assert_non_null(again);
    assert_int_equal(vec_len(again->steps), 7);
    assert_true(again->steps[0].choices[0] == 0xfffffffe);
    assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, again, &error));
    trace_free(again);

    assert_null(schedule_read("t", "", p, "unreach-call", &error));
    assert_null(schedule_read("t", "heddle-trace 1 0\n", p, "unreach-call", &error));
    char *bad = strstr(written, "\n1 0");
    memcpy(bad, "\n1 x", 4);
    buf_clear(&error);
    assert_null(schedule_read("t", written, p, "unreach-call", &error));
    assert_non_null(strstr(buf_string(&error), "t:4: this is not a step"));
    free(written);
    trace_free(t);
    program_free(p);
    buf_free(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counterexample), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_schedule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
