/* SPDX-License-Identifier: Apache-2.0 */
/* Each pass from a program to a system keeps the errors that can be reached: random programs, and after each pass what it made of them, are explored by
   interpreters. What the program reaches without a fault the result reaches; a pass that is exact adds nothing where nothing
   faults. SEED and ROUNDS in the environment change what is tried. */
#define MAX_STATES 5000
#include "explore.h"
#include "../fuzz/generate.h"
#include "passes/program/program_passes.h"
#include "ir/copy.h"
#include "passes/passes.h"
#include "states.h"

typedef struct Judge {
    bool faults; /* the question is about faults */
    Seen truth;
    bool many;         /* threads in any number: their system has more */
    const char *wrong; /* the first pass after which the errors are others */
    const char *how;
    unsigned compared, with_error; /* what was */
    bool programs;                 /* those between passes are looked at, too */
} Judge;

/* ---- judging ---- */

static void blame(Judge *j, const char *pass, const char *how) {
    if (j->wrong) return;
    j->wrong = pass;
    j->how = how;
}

static void judge(Judge *j, const char *pass, uint64_t errors, bool complete, bool exact) {
    if (complete) j->compared++, j->with_error += errors != 0;
    if (complete && (j->truth.errors & ~errors)) blame(j, pass, "an error is lost");
    bool faults = false;
    for (size_t i = 0; i < FAULT_COUNT; i++) faults |= j->truth.faults[i];
    if (exact && !faults && j->truth.complete && (errors & ~j->truth.errors)) blame(j, pass, "an error is new");
}

static void after_program(Judge *j, Program *p, const char *pass) {
    Seen seen = {0};
    Buf complaint = {0};
    if (!program_check(p, &complaint)) blame(j, pass, "the program is not well-formed");
    else explore(p, &seen), judge(j, pass, seen.errors, seen.complete, true);
    buf_free(&complaint);
}

static void after_system(Judge *j, const System *s, const char *pass, bool exact) {
    SystemStates seen;
    uint64_t errors = 0;
    system_states(s, MAX_STATES, &seen);
    for (size_t i = 0; i < vec_len(seen.errors); i++)
        errors |= error_bit(s->threads[seen.errors[i].thread].locations[seen.errors[i].location].text);
    judge(j, pass, errors, seen.complete && !seen.faults && !seen.arrays, exact && !j->many);
    system_states_free(&seen);
}

/* ---- the passes ---- */

/* What interpreters do not see. */
static bool changes_executions(const Pass *x) {
    return strcmp(x->name, "signs") && strcmp(x->name, "congruent-sums") && strcmp(x->name, "mutex-words");
}

/* Threads of which there are many are two from second_instance on. */
static bool has_twins(const Chain *p) { return p->facts & FACT_SECOND_INSTANCES; }

static void after_pass(void *context, const Pass *x, const Chain *p) {
    Judge *j = context;
    if (!strcmp(x->name, "instantiate-threads"))
        for (size_t i = 0; i < vec_len(p->program->templates); i++) j->many |= p->program->templates[i]->count == 0;
    if (x->over == OVER_SYSTEM) after_system(j, p->system, x->name, p->settings.arithmetic != INTEGERS && !p->has_spurious_errors);
    if (x->over == OVER_PROGRAM && j->programs && changes_executions(x) && !(j->many && has_twins(p)))
        after_program(j, p->program, x->name);
}

static void check_passes(Judge *j, const Program *original, PassSettings settings, bool programs) {
    const Question faults = {.property = PROPERTY_NO_OVERFLOW}; /* then there are passes that look for errors that cannot happen */
    if (j->faults) settings.question = &faults;
    Chain p = chain_new(original, settings);
    p.after = after_pass;
    p.context = j;
    j->programs = programs;
    if (passes_run(&p, &passes_building, settings.fine ? "find-wraps" : NULL) && !settings.fine)
        passes_run(&p, &passes_reducing, "find-locks");
    chain_free(&p);
}

static void check_arithmetic(Judge *j, const Program *original, Arithmetic a, bool programs) {
    check_passes(j, original, (PassSettings){.arithmetic = a}, programs);
    check_passes(j, original, (PassSettings){.arithmetic = a, .fine = true}, false);
}

/* With one or two of the arithmetics. False: it is no program, or too large. */
static bool check_program(Judge *j, const char *text, uint64_t seed) {
    Buf error = {0};
    Program *p = program_parse("test", text, &error);
    bool good = p && program_check(p, &error);
    buf_free(&error);
    *j = (Judge){.faults = seed / 4 % 2};
    if (good) explore(p, &j->truth);
    good = good && (j->truth.complete || j->truth.errors);
    if (good) {
        static const Arithmetic arithmetics[] = {BITVECTORS, INTEGERS, CONGRUENT, WEAK};
        Program *copy = program_copy(p);
        program_clean(copy);
        after_program(j, copy, "clean");
        program_free(copy);
        check_arithmetic(j, p, arithmetics[seed % 4], true);
        if (seed % 2) check_arithmetic(j, p, BITVECTORS, false);
        if (count_steps_applies(p)) check_passes(j, p, (PassSettings){.arithmetic = INTEGERS, .count = true}, true);
    }
    if (p) program_free(p);
    return good;
}

/* ---- shrinking: lines go while the same pass is to blame ---- */

static bool is_blamed(const char *text, uint64_t seed, const Judge *j) {
    Judge now;
    return check_program(&now, text, seed) && now.wrong && !strcmp(now.wrong, j->wrong) && now.how == j->how;
}

static void shrink(Buf *text, uint64_t seed, const Judge *j) {
    for (bool again = true; again;) {
        again = false;
        for (size_t at = 0; at < text->length;) {
            const char *t = buf_string(text);
            size_t line = strcspn(t + at, "\n") + 1;
            Buf less = {0};
            buf_bytes(&less, t, at);
            buf_text(&less, t + at + line);
            if (is_blamed(buf_string(&less), seed, j)) {
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

/* ---- programs ---- */

static unsigned width_of(const Buf *text, char name) {
    char declaration[] = "global x : bv";
    declaration[7] = name;
    const char *found = strstr(text->text, declaration);
    return found ? (unsigned)atoi(found + strlen(declaration)) : 0;
}

/* A thread that waits for any value of one variable, and then perhaps of another, each with its own error: what is seen between two steps counts. */
static void watch_thread(Dice *d, Buf *text) {
    char first = "xyz"[roll(d, 3)], second = "xyz"[roll(d, 3)];
    unsigned w = width_of(text, first), u = width_of(text, second);
    bool once = roll(d, 2);
    buf_text(text, "thread watch {\n  l0 {\n");
    for (unsigned v = 1; v < 4; v++) buf_printf(text, "    when (= %c %u:%u) goto %s%u;\n", first, v, w, once ? "bad" : "l", v);
    buf_text(text, "  }\n");
    for (unsigned v = 1; v < 4 && !once; v++) {
        buf_printf(text, "  l%u {\n", v);
        for (unsigned k = 0; k < 4; k++) buf_printf(text, "    when (= %c %u:%u) goto bad%u%u;\n", second, k, u, v, k);
        buf_text(text, "  }\n");
        for (unsigned k = 0; k < 4; k++) buf_printf(text, "  bad%u%u error \"%c\";\n", v, k, 'A' + (int)(4 * v + k));
    }
    for (unsigned v = 1; v < 4 && once; v++) buf_printf(text, "  bad%u error \"%u\";\n", v, v);
    buf_text(text, "}\n");
}

static void add_watch(Dice *d, Buf *text) {
    const char *main = strstr(buf_string(text), "do a := 0:");
    Buf watched = {0};
    if (!main || !width_of(text, 'x')) return;
    buf_bytes(&watched, text->text, (size_t)(main - text->text));
    buf_printf(&watched, "do create watch (0:64); %s", main + 3);
    watch_thread(d, &watched);
    buf_free(text);
    *text = watched;
}

/* Of the kinds in turn; every other one may overflow. */
static void make_program(uint64_t seed, Buf *text) {
    if (seed % 3) {
        Dice d = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1,
                  .width = 2,
                  .inputs = seed % 5 == 1,
                  .undefined = seed % 7 == 1,
                  .locks = seed % 4 == 1};
        random_program(&d, text);
        if (seed % 2) replace_all(text, "(add ", "(add nsw ");
        if (seed % 4 == 2) replace_all(text, "thread w0 count 2", "thread w0 count many");
    } else {
        generate(seed, text);
    }
    Dice d = {.state = seed * 12345 + 17};
    if (roll(&d, 4)) add_watch(&d, text);
}

static unsigned setting(const char *name, unsigned otherwise) { return getenv(name) ? (unsigned)atoi(getenv(name)) : otherwise; }

static void errors_are_kept(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 120), programs = 0, compared = 0, with_error = 0;
    for (uint64_t seed = setting("SEED", 1) * UINT64_C(100000), end = seed + rounds; seed < end; seed++) {
        Judge j;
        Buf text = {0};
        make_program(seed, &text);
        if (check_program(&j, buf_string(&text), seed)) programs++, compared += j.compared, with_error += j.with_error;
        if (j.wrong) {
            shrink(&text, seed, &j);
            fail_msg("program %llu: after %s %s:\n%s", (unsigned long long)seed, j.wrong, j.how, buf_string(&text));
        }
        buf_free(&text);
    }
    print_message("%u programs: %u results of passes compared, %u of them with an error\n", programs, compared, with_error);
    assert_true(programs >= rounds / 2 && compared >= 8 * programs && with_error >= compared / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
