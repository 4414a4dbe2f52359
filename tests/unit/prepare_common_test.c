/* SPDX-License-Identifier: Apache-2.0 */
/* What engines have in common is prepared once. Systems are the same with it as without; it is not made when it is late. A crash, a loop or too much
   memory there costs only the question that it belongs to. */
#include "ir_test.h"
#include "app/supervisor.h"
#include "base/clock.h"
#include "options/options.h"
#include "passes/prepare.h"
#include "process/portfolio.h"
#include "process/progress.h"
#include "system/text.h"
#include <signal.h>
#include <stdlib.h>

static const char sums[] = "global a : bv32 = 0:32;\nglobal b : bv32 = 0:32;\n"
                           "thread main { local t : bv32;\n"
                           "  l0 { do t := create w (0:64); goto l1; }\n"
                           "  l1 { do b := any; goto l2; }\n"
                           "  l2 { do a := (add a b); goto l3; }\n"
                           "  l3 { when (ult a b) goto l2; when (not (ult a b)) goto l4; }\n"
                           "  l4 { when (= a 7:32) goto bad; when (not (= a 7:32)) goto done; }\n"
                           "  bad error \"seven\";\n"
                           "  done halt; }\n"
                           "thread w { l0 { do a := (add a 3000000000:32); goto l1; } l1 end; }\n";

/* ---- the same systems ---- */

static void put_system(const Program *p, Chain *common, PassSettings settings, Buf *out) {
    Chain made;
    assert_null(prepare(&made, p, common, settings, "test"));
    system_print(out, made.system);
    chain_free(&made);
}

static void check_same(const Program *p, PassSettings settings, bool taken) {
    Chain from = chain_new(p, (PassSettings){.question = settings.question}), common = prepare_common(&from, 0);
    Buf with = {0}, without = {0};
    assert_non_null(common.program);
    put_system(from.program, &common, settings, &with);
    put_system(from.program, NULL, settings, &without);
    assert_string_equal(buf_string(&with), buf_string(&without));
    assert_int_equal(taken, !common.program);
    buf_free(&with);
    buf_free(&without);
    chain_free(&common);
    chain_free(&from);
}

static void same_systems(void **state) {
    (void)state;
    static const Question q = {.property = PROPERTY_UNREACH_CALL};
    Program *p = program_of(sums);
    for (Arithmetic a = BITVECTORS; a <= WEAK; a++)
        for (unsigned k = 0; k < 8; k++)
            check_same(p, (PassSettings){.question = &q, .arithmetic = a, .fine = k & 1, .final_values = k & 2, .cut = k & 4}, true);
    check_same(p, (PassSettings){.question = &q, .arithmetic = INTEGERS, .count = true}, false);
    check_same(p, (PassSettings){.question = &q, .arithmetic = INTEGERS, .rounds = 2}, false);
    program_free(p);
}

static void late(void **state) {
    (void)state;
    Program *p = program_of(sums);
    Chain from = chain_new(p, (PassSettings){.question = NULL}), common = prepare_common(&from, clock_seconds() - 1);
    assert_null(common.program);
    chain_free(&from);
    program_free(p);
}

/* ---- what goes wrong there ---- */

static const char reader[] = "global a : bv32 = 0:32;\n"
                             "thread main { local t : bv32; local x : bv32;\n"
                             "  l0 { do t := create w (0:64); goto l1; }\n"
                             "  l1 { do x := a; goto l2; }\n"
                             "  l2 { when (= x 7:32) goto bad; when (not (= x 7:32)) goto done; }\n"
                             "  bad error \"seven\";\n"
                             "  done halt; }\n"
                             "thread w { l0 { do a := 3:32; goto l1; } l1 end; }\n";

#ifdef __SANITIZE_ADDRESS__
/* A crash of a process that uses most of its memory counts as a lack of memory. Shadow memory is large, and slow to fill. */
enum { MEMORY = 1200 << 20, SECONDS = 15 };
#else
enum { MEMORY = 300 << 20, SECONDS = 6 };
#endif

/* After the last pass that is common: no engine runs then. */
static void go_wrong(void *context, const Pass *x, const Chain *p) {
    const Question *q = context;
    (void)p;
    if (strcmp(x->name, last_common_pass) != 0) return;
    signal(SIGSEGV, SIG_DFL); /* cmocka catches it */
    if (q->property == PROPERTY_NO_DATA_RACE) raise(SIGSEGV);
    while (q->property == PROPERTY_NO_DEADLOCK) continue;
    for (size_t used = 0; q->property == PROPERTY_VALID_MEMSAFETY; used += 1 << 20) {
        char *more = used < MEMORY ? malloc(1 << 20) : NULL;
        if (!more) abort();
        memset(more, 1, 1 << 20);
    }
}

static int answer_with(void *state, Property property, TimeSlot time, Output *out) {
    const Config *c = state;
    Question q = {.property = property, .no_static_race_check = true};
    Program *p = program_of(reader);
    Route route = route_new(p, &q, (PassSettings){.memory = MEMORY_AS_IS});
    Chain *chain = route_chain(&route, engine_needs_errors(c->engine, property));
    chain->after = go_wrong;
    chain->context = &q;
    Verdict *v = portfolio_run(&(Work){.config = c, .question = &q, .route = &route, .time = time});
    buf_printf(&out->line, "%s\n", v->kind == VERDICT_SAFE ? "SAFE" : v->reason);
    int code = v->kind == VERDICT_SAFE ? EXIT_SAFE : EXIT_UNKNOWN;
    verdict_free(v);
    route_free(&route);
    program_free(p);
    return code;
}

static void is_unknown(const Result *r, const char *why) {
    assert_int_equal(r->code, EXIT_UNKNOWN);
    assert_non_null(strstr(buf_string(&r->out.line), "UNKNOWN"));
    if (!strstr(buf_string(&r->out.text), why)) print_error("no '%s': %s\n", why, buf_string(&r->out.text));
    assert_non_null(strstr(buf_string(&r->out.text), why));
    assert_non_null(strstr(buf_string(&r->out.text), "while preparing the program for engines"));
}

static void costs_its_question(void **state) {
    (void)state;
    const double seconds = SECONDS;
    Options o = {.timeout = seconds};
    Config c = {.engine = &engine_redcomp,
                .engine_name = "redcomp",
                .timeout = seconds,
                .several = true,
                .memory = MEMORY,
                .jobs = 1,
                .processors = 1};
    Results results = {.options = &o,
                       .set = 1 << PROPERTY_UNREACH_CALL | 1 << PROPERTY_NO_DATA_RACE | 1 << PROPERTY_NO_DEADLOCK |
                              1 << PROPERTY_VALID_MEMSAFETY | 1 << PROPERTY_NO_OVERFLOW};
    progress_start(false, false);
    supervise(&(Verifier){answer_with, &c}, &c, &results, clock_seconds() + seconds);
    assert_int_equal(results.list[PROPERTY_UNREACH_CALL].code, EXIT_SAFE);
    assert_int_equal(results.list[PROPERTY_NO_DATA_RACE].code, EXIT_INTERNAL);
    is_unknown(&results.list[PROPERTY_NO_DEADLOCK], "time");
    is_unknown(&results.list[PROPERTY_VALID_MEMSAFETY], "[H1203]");
    assert_int_equal(results.list[PROPERTY_NO_OVERFLOW].code, EXIT_SAFE);
    results_free(&results);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_systems), cmocka_unit_test(late), cmocka_unit_test(costs_its_question)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
