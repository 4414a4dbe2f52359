/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample made by hand, printed in both layouts. */
#include "base/vec.h"
#include "output/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void add(Counterexample *s, unsigned thread, unsigned line, TraceLineEvent e) {
    TraceLine m = {.thread = thread, .position = {"nowhere.c", line, 1}, .function = "f"};
    vec_push(m.events, e);
    vec_push(s->moments, m);
}

static Counterexample *sample(void) {
    Counterexample *s = counterexample_new();
    vec_push(s->threads, "main");
    vec_push(s->threads, "thread 2 (worker)");
    add(s, 1, 10, (TraceLineEvent){.kind = ACCESS_CREATE, .thread = 2});
    add(s, 2, 5, (TraceLineEvent){.kind = ACCESS_READ, .shared = true, .name = "counter", .value = "0"});
    add(s, 1, 11, (TraceLineEvent){.kind = ACCESS_WRITE, .shared = true, .name = "counter", .before = "0", .value = "1"});
    vec_last(s->moments).resumes = true;
    s->error = "assertion counter == 2";
    s->position = (Position){.file = "nowhere.c", .line = 11, .column = 3};
    s->switches = 2;
    return s;
}

static char *print(const TextStyle *style) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    Verdict v = {.kind = VERDICT_UNSAFE};
    Stats stats = {0};
    Counterexample *s = sample();
    Report r = {.verdict = &v, .counterexample = s, .property = "unreach-call", .seconds = 1.5, .stats = &stats};
    report_line(f, &r, style);
    report_text(f, &r, style);
    fclose(f);
    counterexample_free(s);
    return text;
}

static void test_lines(void **state) {
    (void)state;
    char *text = print(&(TextStyle){0});
    assert_string_equal(text, "UNSAFE  unreach-call  1.50 s\n"
                              "\n"
                              "An execution with 2 threads and 2 context switches leads to the error (nowhere.c):\n"
                              "\n"
                              "main               nowhere.c:10  in f    starts thread 2 (worker)\n"
                              "- - - context switch\n"
                              "thread 2 (worker)  nowhere.c:5   in f    reads counter = 0\n"
                              "- - - context switch\n"
                              "main               nowhere.c:11  … in f  counter: 0 → 1\n"
                              "\n"
                              "nowhere.c:11:3: error: assertion counter == 2\n");
    free(text);
}

static void test_columns(void **state) {
    (void)state;
    char *text = print(&(TextStyle){.columns = true, .width = 60});
    assert_non_null(strstr(text, "\nmain                           thread 2 (worker)\n"));
    assert_non_null(strstr(text, "\n                                 5 in f\n"
                                 "                                   reads counter = 0\n"));
    free(text);
    text = print(&(TextStyle){.columns = true, .width = 40}); /* too narrow: lines */
    assert_non_null(strstr(text, "- - - context switch"));
    free(text);
}

static void test_brief(void **state) {
    (void)state;
    char *text = print(&(TextStyle){.brief = true});
    assert_string_equal(text, "UNSAFE  unreach-call  1.50 s\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_columns), cmocka_unit_test(test_brief)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
