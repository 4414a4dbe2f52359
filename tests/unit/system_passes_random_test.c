/* SPDX-License-Identifier: Apache-2.0 */
/* Each pass over systems keeps the errors that can be reached: random systems before and after it are compared by evaluation (states.h). A
   pass that is exact adds none; one that weakens may. And a system as a program has the same errors. SEED and ROUNDS (systems for each pass; more for some) in the environment change what is tried, PASS names one. */
#define MAX_STATES 6000
#include "explore.h"
#include "random_system.h"
#include "system_passes.h"
#include "ir/check.h"
#include "system/system.h"
#include "states.h"
#include "system/text.h"
#include <malloc.h>
#include <stdlib.h>

enum { MOST_STATES = 3000 };

typedef struct Judged {
    bool is_system, complete, changed, with_error; /* it was compared; the pass did something; there is an error */
    const char *wrong;                             /* NULL: nothing */
} Judged;

static uint64_t errors_of(const System *s, const SystemStates *seen) {
    uint64_t errors = 0;
    for (size_t i = 0; i < vec_len(seen->errors); i++) {
        const SystemLocation *l = &s->threads[seen->errors[i].thread].locations[seen->errors[i].location];
        errors |= UINT64_C(1) << (l->text ? (unsigned char)*l->text % 64 : 0);
    }
    return errors;
}

static uint64_t visit(const System *s, bool *complete) {
    SystemStates seen;
    system_states(s, MOST_STATES, &seen);
    *complete = seen.complete && !seen.faults;
    uint64_t errors = errors_of(s, &seen);
    system_states_free(&seen);
    return errors;
}

static Judged judge(const SystemPass *pass, const char *text) {
    Judged j = {0};
    Buf error = {0}, before = {0}, after = {0};
    Exprs *x = exprs_new();
    System *s = system_parse(x, "test", text, &error);
    bool first, second;
    j.is_system = s;
    if (s) {
        system_print(&before, s);
        uint64_t was = visit(s, &first);
        Smt *smt = pass->solves ? smt_new(x) : NULL;
        s = pass->run(s, smt);
        bool good = system_check(s, &error);
        uint64_t is = good ? visit(s, &second) : 0;
        if (good) system_print(&after, s);
        j.complete = good && first && second;
        j.with_error = was;
        j.changed = good && strcmp(buf_string(&before), buf_string(&after));
        if (!good) j.wrong = "the system is not well-formed", print_error("%s\n", buf_string(&error));
        else if (second && (was & ~is)) j.wrong = "an error is lost";
        else if (pass->exact && first && (is & ~was)) j.wrong = "an error is new";
        if (smt) smt_free(smt);
        system_free(s);
    }
    exprs_free(x);
    buf_free(&error);
    buf_free(&before);
    buf_free(&after);
    return j;
}

/* Lines go while the same is wrong. */
static void shrink(const SystemPass *pass, Buf *text, const char *wrong) {
    for (bool again = true; again;) {
        again = false;
        for (size_t at = 0; at < text->length;) {
            const char *t = buf_string(text);
            size_t line = strcspn(t + at, "\n") + 1;
            Buf less = {0};
            buf_bytes(&less, t, at);
            buf_text(&less, t + at + line);
            const char *now = judge(pass, buf_string(&less)).wrong;
            if (now == wrong) {
                buf_free(text);
                *text = less;
                again = true;
            } else {
                buf_free(&less);
                at += line;
            }
        }
    }
}

static unsigned setting(const char *name, unsigned otherwise) { return getenv(name) ? (unsigned)atoi(getenv(name)) : otherwise; }

static void try_pass(const SystemPass *pass, unsigned rounds) {
    unsigned complete = 0, changed = 0, with_error = 0;
    for (uint64_t seed = setting("SEED", 1) * UINT64_C(1000000), end = seed + rounds; seed < end; seed++) {
        Buf text = {0};
        random_system(seed, &text);
        Judged j = judge(pass, buf_string(&text));
        if (!j.is_system) fail_msg("system %llu is none:\n%s", (unsigned long long)seed, buf_string(&text));
        if (j.wrong) {
            const char *wrong = j.wrong;
            shrink(pass, &text, wrong);
            print_error("%s", buf_string(&text));
            fail_msg("system %llu: after %s %s", (unsigned long long)seed, pass->name, wrong);
        }
        complete += j.complete;
        changed += j.complete && j.changed;
        with_error += j.complete && j.with_error;
        buf_free(&text);
    }
    print_message("%-16s %u systems: %u compared, %u of them changed, %u with an error\n", pass->name, rounds, complete, changed,
                  with_error);
    assert_true(complete >= rounds / 2 && with_error >= complete / 4);
    assert_true(rounds < 100 || changed || !strcmp(pass->name, "mirror_twins")); /* what that makes is what was there */
}

static void errors_are_kept(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 50);
    const char *only = getenv("PASS");
    for (size_t i = 0; i < sizeof system_passes / sizeof *system_passes; i++)
        if (!only || !strcmp(only, system_passes[i].name)) try_pass(&system_passes[i], system_passes[i].rare ? 4 * rounds : rounds);
}

/* ---- as programs ---- */

/* What system_states tries. */
static const u128 *values_to_try(void *context, const Choice *c) {
    u128 **values = context;
    bool integer = c->sort->kind == SORT_INT;
    unsigned n = integer ? 6 : c->sort->kind == SORT_BOOL || c->sort->width == 1 ? 2 : 4;
    vec_clear(*values);
    for (unsigned i = 0; i < n; i++) vec_push(*values, integer ? (u128)((i128)i - 2) : i);
    return *values;
}

static bool is_comparable(const System *s, const SystemStates *seen) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) return false;
    return seen->complete && !seen->faults && !seen->arrays;
}

/* 0: not compared, 1: the same errors, -1: others. */
static int compare_program(const char *text) {
    Buf error = {0};
    Program *p = program_new(64);
    System *s = system_parse(p->exprs, "test", text, &error);
    SystemStates seen;
    system_states(s, MOST_STATES, &seen);
    int result = 0;
    if (is_comparable(s, &seen)) {
        Seen of_program = {0};
        u128 *values = NULL;
        assert_true(system_as_program(s, p, &error));
        if (!program_check(p, &error)) fail_msg("%s", buf_string(&error));
        explore_with(p, &of_program, values_to_try, &values);
        if (of_program.complete) result = of_program.errors == errors_of(s, &seen) ? 1 : -1;
        vec_free(values);
    }
    system_states_free(&seen);
    system_free(s);
    program_free(p);
    buf_free(&error);
    return result;
}

static void programs_have_the_same_errors(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 50), compared = 0;
    for (uint64_t seed = setting("SEED", 1) * UINT64_C(1000000), end = seed + rounds; seed < end; seed++) {
        Buf text = {0};
        random_system(seed, &text);
        int same = compare_program(buf_string(&text));
        if (same < 0) print_error("%s", buf_string(&text));
        if (same < 0) fail_msg("system %llu has other errors as a program", (unsigned long long)seed);
        compared += same > 0;
        buf_free(&text);
    }
    print_message("as programs      %u systems: %u compared\n", rounds, compared);
    assert_true(compared >= rounds / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_kept), cmocka_unit_test(programs_have_the_same_errors)};
    mallopt(M_TRIM_THRESHOLD, 1 << 30); /* every system has a pool and a solver of its own: their memory is kept */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
