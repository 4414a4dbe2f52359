/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of a small program: told as a story, written as a schedule and read back. */
#include "base/vec.h"
#include "check/replay.h"
#include "check/tell.h"
#include "output/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char text[] =
    "global n : bv32 = 3:32 signed type \"int\";\n"
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

static Program *program(void) {
    Buf error = {0};
    Program *p = program_parse("story.hir", text, &error);
    if (!p) print_message("%s\n", buf_string(&error));
    assert_non_null(p);
    return p;
}

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

static const StoryEvent *event(const Story *s, unsigned line) {
    for (size_t i = 0; i < vec_len(s->moments); i++)
        if (s->moments[i].position.line == line && vec_len(s->moments[i].events)) return &s->moments[i].events[0];
    return NULL;
}

static void test_story(void **state) {
    (void)state;
    Program *p = program();
    Trace *t = trace();
    Buf why_not = {0};
    assert_true(replay_check(p, t, &why_not));
    Story *s = story_tell(p, t);
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
    story_free(s);
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
    schedule_write(f, p, t, NULL);
    fclose(f);
    again = schedule_read("t", written, p, &error);
    assert_non_null(again);
    assert_int_equal(vec_len(again->steps), 7);
    assert_true(again->steps[0].choices[0] == 0xfffffffe);
    assert_true(replay_check(p, again, &error));
    trace_free(again);

    assert_null(schedule_read("t", "", p, &error));
    assert_null(schedule_read("t", "heddle-trace 1 0\n", p, &error));
    char *bad = strstr(written, "\n1 0");
    memcpy(bad, "\n1 x", 4);
    buf_clear(&error);
    assert_null(schedule_read("t", written, p, &error));
    assert_non_null(strstr(buf_string(&error), "t:3: not a step"));
    free(written);
    trace_free(t);
    program_free(p);
    buf_free(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_story), cmocka_unit_test(test_schedule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
