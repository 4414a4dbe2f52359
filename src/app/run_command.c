/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_command.h"
#include "app/messages.h"
#include "app/run_program.h"
#include "app/run_counterexample.h"
#include "base/clock.h"
#include "base/file.h"
#include "output/publish.h"
#include "output/results.h"
#include "process/child.h"
#include "result/property.h"
#include <stdlib.h>
#include <string.h>

typedef struct Found {
    const RunResult *result;
    const RunViolation *violation;
} Found;

/* ---- numbers ---- */

/* Adds a number with commas between thousands. */
static void put_number(Buf *out, uint64_t n) {
    if (n >= 1000) {
        put_number(out, n / 1000);
        buf_printf(out, ",%03u", (unsigned)(n % 1000));
    } else {
        buf_printf(out, "%u", (unsigned)n);
    }
}

static uint64_t schedules(const Campaign *k) {
    uint64_t n = 0;
    vec_each_at(const RunResult, r, k->results)
        if (r->runs > n) n = r->runs;
    return n;
}

/* Adds a note about schedules that did not finish. */
static void note_unfinished(const Campaign *k, Verdict *v) {
    uint64_t n = 0, first = 0;
    Buf number = {0}, at = {0};
    RunOutcome reason = RUN_END_GOOD;
    vec_each_at(const RunResult, r, k->results) {
        n += r->unfinished;
        if (!r->unfinished || (first && first < r->reason_run)) continue;
        reason = r->reason;
        first = r->reason_run;
    }
    put_number(&number, n);
    put_number(&at, first);
    if (n) verdict_note(v, MSG_APP_RUN_NOT_FINISHED, buf_string(&number), n == 1 ? "" : "s", buf_string(&at), run_outcome_text(reason));
    buf_free(&number);
    buf_free(&at);
}

/* ---- violations ---- */

static int earlier(const void *a, const void *b) {
    const Found *x = a, *y = b;
    return x->violation->run < y->violation->run ? -1 : x->violation->run > y->violation->run;
}

/* Returns the violations of all results, the earliest first, as a vec. */
static Found *collect(const Campaign *k) {
    Found *list = NULL;
    vec_each_at(const RunResult, r, k->results)
        vec_each_at(const RunViolation, v, r->violations) vec_push(list, ((Found){r, v}));
    if (list) qsort(list, vec_len(list), sizeof *list, earlier);
    return list;
}

/* Returns whether the jobs found this violation before. */
static bool is_repeated(const Found *list, size_t i) {
    for (size_t k = 0; k < i; k++) {
        const RunViolation *a = list[k].violation, *b = list[i].violation;
        bool same = (a->pc == b->pc && a->other_pc == b->other_pc) || (a->pc == b->other_pc && a->other_pc == b->pc);
        if (a->outcome == b->outcome && (same || a->outcome == RUN_END_DEADLOCK)) return true;
    }
    return false;
}

static Report report_of(const Campaign *k, const Verdict *v, const char *property, const char *assuming, const Stats *stats) {
    return (Report){.verdict = v,
                    .assuming = assuming,
                    .property = property,
                    .engine = "run",
                    .data_model = options_word("data_model", k->options->data_model),
                    .files = k->options->files,
                    .seconds = clock_seconds() - k->start,
                    .stats = stats};
}

static void put_where(const Campaign *k, const RunViolation *v, Buf *out) {
    if (k->options->replay) {
        buf_text(out, "(replay)");
        return;
    }
    buf_text(out, "(schedule ");
    put_number(out, v->run);
    buf_text(out, " of ");
    put_number(out, (uint64_t)k->options->runs);
    buf_printf(out, ", seed %.0f)", k->options->seed);
}

static void publish_violation(const Campaign *k, const Found *f, const char *property, Output *out) {
    const RunViolation *v = f->violation;
    Verdict *verdict = verdict_new(VERDICT_UNSAFE);
    Stats stats = {0};
    Buf where = {0}, error = {0};
    put_where(k, v, &where);
    Report report = report_of(k, verdict, property, buf_string(&where), &stats);
    report.counterexample = run_counterexample(f->result, v, k->program, k->options->verbose);
    if (f->result->replayed && !f->result->same) verdict_warn(verdict, MSG_APP_RUN_OTHER_HASH);
    note_unfinished(k, verdict);
    publish_report(k->options, &report, out);
    if (k->options->trace && !out->trace.length) file_read(v->replay, FILE_TEXT, &out->trace, &error);
    counterexample_free((Counterexample *)(uintptr_t)report.counterexample);
    verdict_free(verdict);
    buf_free(&where);
    buf_free(&error);
}

static void add_violation(const Campaign *k, const Found *f, Results *results, unsigned wanted) {
    unsigned set = 0;
    Buf error = {0};
    bool known = properties_find(f->violation->property, &set, &error);
    ensure(known);
    Property p = (Property)__builtin_ctz(set & ((1u << NPROPERTIES) - 1));
    Result *r = &results->list[p];
    buf_free(&error);
    if (!(wanted >> p & 1) || (r->there && !k->options->all_violations)) return;
    if (r->there) {
        Output more = {0};
        publish_violation(k, f, property_name(p), &more);
        publish_beside(k->options, &more, &r->out);
        output_free(&more);
        return;
    }
    publish_violation(k, f, property_name(p), &r->out);
    r->there = r->final = true;
    r->code = EXIT_UNSAFE;
    results->set |= 1u << p;
}

/* ---- no violation ---- */

static void publish_nothing(const Campaign *k, Results *results, unsigned wanted) {
    Buf reason = {0}, number = {0};
    Stats stats = {0};
    unsigned several = wanted & (wanted - 1);
    Property first = (Property)__builtin_ctz(wanted);
    put_number(&number, schedules(k));
    if (k->options->replay) buf_text(&reason, MSG_APP_RUN_NO_REPLAYED);
    else buf_printf(&reason, MSG_APP_RUN_NO_VIOLATION, buf_string(&number), schedules(k) == 1 ? "" : "s");
    Verdict *v = verdict_unknown((Position){0}, "%s", k->options->replay ? MSG_APP_RUN_STALE : MSG_APP_RUN_MORE);
    note_unfinished(k, v);
    Report report = report_of(k, v, several ? "all" : property_name(first), buf_string(&reason), &stats);
    Result *r = &results->list[first];
    publish_report(k->options, &report, &r->out);
    r->there = r->final = true;
    r->code = EXIT_UNKNOWN;
    results->set = 1u << first;
    verdict_free(v);
    buf_free(&reason);
    buf_free(&number);
}

/* ---- the command ---- */

static bool wanted_properties(const Options *o, unsigned *wanted, Buf *error) {
    *wanted = (1u << NPROPERTIES) - 1;
    if (o->property && !properties_find(o->property, wanted, error)) return false;
    *wanted &= (1u << NPROPERTIES) - 1;
    return true;
}

static int deliver(const Campaign *k, Results *results) {
    Output out = {0};
    results_join(results, &out);
    int code = results_code(results);
    if (out.html.length) report_page(&out.html);
    if (!output_deliver(&out, k->options)) code = EXIT_INTERNAL;
    output_free(&out);
    return code;
}

static int publish_all(const Campaign *k, unsigned wanted) {
    Results results = {.options = k->options};
    Found *found = collect(k);
    for (size_t i = 0; i < vec_len(found); i++)
        if (!is_repeated(found, i)) add_violation(k, &found[i], &results, wanted);
    if (!results.set) publish_nothing(k, &results, wanted);
    int code = deliver(k, &results);
    results_free(&results);
    vec_free(found);
    return code;
}

static int complain(const Buf *error) {
    const char *text = buf_string(error), *end = strchr(text, '\n');
    bool several = end && end[1]; /* clang's messages */
    fprintf(stderr, "%s%s%s", several ? "" : "heddle: ", text, end ? "" : "\n");
    return EXIT_INPUT;
}

int run_command(const Options *o, double start) {
    Campaign k = {.options = o, .start = start, .runs = o->runs, .words = o->clang_flags};
    Buf error = {0};
    unsigned wanted;
    child_catch_signals();
    bool good = wanted_properties(o, &wanted, &error);
    if (good && !(wanted & (wanted - 1))) k.property = property_name((Property)__builtin_ctz(wanted));
    int code = good && campaign_prepare(&k, &error) && campaign_run(&k, &error) ? publish_all(&k, wanted) : complain(&error);
    campaign_free(&k);
    buf_free(&error);
    return code;
}
