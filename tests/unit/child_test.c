/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/die.h"
#include "process/child.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static int says_hello(void *context, FILE *out) {
    fprintf(out, "hello %s", (const char *)context);
    fprintf(stderr, "aside");
    return 7;
}

static int says_much(void *context, FILE *out) {
    (void)context;
    for (int i = 0; i < 1 << 20; i++) fputc('x', out);
    return 0;
}

static int crashes(void *context, FILE *out) {
    (void)context;
    fputs("lost", out);
    raise(SIGKILL);
    return 0;
}

static int lacks(void *context, FILE *out) {
    (void)context;
    (void)out;
    for (int i = 0; i < 100000; i++) fprintf(stderr, "it says much\n");
    out_of_resources("no %s", "room");
}

static int is_unknown(void *context, FILE *out) {
    (void)context;
    fputs("why", out);
    return EXIT_UNKNOWN;
}

static int hangs(void *context, FILE *out) {
    (void)context;
    (void)out;
    if (!fork()) sleep(100);
    sleep(100);
    return 0;
}

static ChildResult run(int (*work)(void *, FILE *), double seconds, Buf *out, Buf *errors) {
    ChildLimits limits = {.deadline = clock_seconds() + seconds, .group = true, .capture = true};
    char name[] = "you";
    return child_run(&limits, work, name, out, errors);
}

static void test_endings(void **state) {
    (void)state;
    Buf out = {0}, errors = {0};
    ChildResult r = run(says_hello, 10, &out, &errors);
    assert_true(r.ending == ENDING_EXIT && r.code == 7);
    assert_string_equal(buf_string(&out), "hello you");
    assert_string_equal(buf_string(&errors), "aside");
    buf_clear(&out);
    r = run(says_much, 30, &out, &errors);
    assert_true(r.ending == ENDING_EXIT && r.code == 0 && out.length == 1 << 20);
    r = run(crashes, 10, &out, &errors);
    assert_true(r.ending == ENDING_CRASH && r.code == SIGKILL);
    buf_clear(&errors);
    buf_clear(&out);
    r = run(lacks, 10, &out, &errors);
    assert_true(r.ending == ENDING_NO_RESOURCES && errors.length < 1 << 18);
    assert_string_equal(last_error_line(&errors), "no room");
    r = run(is_unknown, 10, &out, &errors);
    assert_true(r.ending == ENDING_EXIT && r.code == EXIT_UNKNOWN);
    double start = clock_seconds();
    r = run(hangs, 0.2, &out, &errors);
    assert_true(r.ending == ENDING_TIMEOUT && clock_seconds() - start < 5);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
    buf_free(&out);
    buf_free(&errors);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
