/* SPDX-License-Identifier: Apache-2.0 */
/* The first engine has a moment alone, since most programs are decided by then; the others follow one after the other, sooner where a
   processor is idle. Where there are more than two processors, the idle ones are for engines that go another way: other orders,
   arithmetics, rules, seeds. They only help: the race ends when the engines that always take part have ended.
   A reason is kept until somebody answers: the one that a user can best do something about (Cause), with the others as notes. */
#include "race.h"
#include "base/clock.h"
#include "base/vec.h"
#include "explain.h"
#include "judge.h"
#include "runner.h"
#include <string.h>

/* In the order in which they start: after so many seconds (sooner if a processor is idle), for a share of the time that is left then. */
typedef struct Contestant {
    const Engine *engine;
    double start, share;
    bool extra;            /* only where a processor would be idle */
    uint64_t luck;
    EngineOptions options; /* what it does otherwise */
} Contestant;

static const Contestant contestants[] = {
    {&engine_explicit, 0, 0.4, false, 0, {0}},
    {&engine_redcomp, 0.3, 1, false, 0, {0}},
    {&engine_weave, 1.5, 1, false, 0, {0}},
    {&engine_impact, 4, 1, false, 0, {0}},
};
enum { NCONTESTANTS = sizeof contestants / sizeof *contestants };
_Static_assert((int)NCONTESTANTS <= (int)MOST_RUNNERS, "each has its place");

typedef struct Race {
    Job *job;
    Runner running[NCONTESTANTS];
    Child *children[NCONTESTANTS];
    size_t n;
    double start;
    unsigned next;     /* contestant to be started */
    unsigned cut_off;  /* one that used up its share, + 1 */
    Verdict *answer, *unknown;
} Race;

/* An exhaustive search has no obligations to show: who asked for them gets an answer with a proof, if there is one in time. */
static bool is_final(const Job *job, const Verdict *answer) {
    return answer && (answer->proof != PROOF_EXHAUSTED || !job_wants_obligations(job));
}

/* ---- verdicts ---- */

static void take_answer(Race *r, const Runner *from, Verdict *v) {
    verdict_free(r->answer);
    r->answer = v;
    r->job->engine = from->engine;
    r->job->shared->stats = r->job->loaded;
    stats_add(&r->job->shared->stats, runner_stats(from));
}

static void take_reason(Race *r, const Runner *from, Verdict *v) {
    Verdict *before = r->unknown;
    if (!before) {
        r->unknown = v;
    } else if (v->cause > before->cause) {
        verdict_note_reason(v, before);
        for (size_t i = 0; i < vec_len(before->notes); i++) verdict_note(v, "%s", before->notes[i]);
        verdict_free(before);
        r->unknown = v;
    } else { /* it has said so before, or it will be told with others */
        if (!from->luck && !explain_lists(r->job->program, v)) verdict_note_reason(before, v);
        verdict_free(v);
    }
}

static void take_verdict(Race *r, const Runner *from, Verdict *v) {
    v = judge_trace(r->job, v);
    if (v->kind != VERDICT_UNKNOWN) take_answer(r, from, v);
    else take_reason(r, from, v);
}

/* ---- who runs ---- */

static void join_race(Race *r, Runner runner) {
    r->running[r->n] = runner;
    r->children[r->n] = &r->running[r->n].child;
    r->n++;
}

static void leave_race(Race *r, size_t i) {
    r->running[i] = r->running[--r->n];
    r->children[i] = &r->running[i].child;
}

/* When the next is to be started. */
static double next_start(const Race *r) {
    static const double head_start = 0.3;
    static const size_t processors = 2;
    if (r->next == NCONTESTANTS) return r->job->deadline + 1;
    const Contestant *c = &contestants[r->next];
    double start = r->n < processors && c->start > head_start ? head_start : c->start;
    return r->n ? r->start + start : r->start;
}

static void start_contestant(Race *r, unsigned i, double share, uint64_t luck) {
    Runner runner = runner_new(r->job, contestants[i].engine, i, share);
    runner.luck = luck;
    runner_start(&runner);
    join_race(r, runner);
}

static void start_engines(Race *r) {
    while (r->next < NCONTESTANTS && clock_seconds() >= next_start(r)) {
        unsigned i = r->next++;
        if (contestants[i].engine->supports(r->job->property)) start_contestant(r, i, contestants[i].share, contestants[i].luck);
    }
}

/* An engine whose share ended, not its ideas. */
static void note_cut_off(Race *r, const Runner *done) {
    double left = done->deadline - clock_seconds(), share = done->deadline - r->start;
    if (contestants[done->place].share < 1 && left < 0.1 * share + 0.3) r->cut_off = done->place + 1;
}

/* The others have given up: the one that still runs has all the time. */
static void extend_last(Race *r) {
    if (r->n == 1 && r->next == NCONTESTANTS) runner_extend(&r->running[0], r->job->deadline);
}

/* The others have given up: what is left of the time is for one that was cut off, which tries its luck anew. */
static void use_rest(Race *r) {
    if (r->n || r->answer || !r->cut_off || r->job->deadline - clock_seconds() < 1) return;
    start_contestant(r, r->cut_off - 1, 1, 1);
    r->cut_off = 0;
}

Verdict *race(Job *job) {
    Race r = {.job = job, .start = clock_seconds()};
    for (start_engines(&r); r.n && !is_final(job, r.answer); start_engines(&r), use_rest(&r), extend_last(&r)) {
        size_t i = children_wait(r.children, r.n, next_start(&r));
        if (i == r.n) continue;
        Runner done = r.running[i];
        leave_race(&r, i);
        note_cut_off(&r, &done);
        Verdict *v = runner_finish(&done);
        if (v) take_verdict(&r, &done, v);
        else join_race(&r, done);
    }
    while (r.n) runner_stop(&r.running[--r.n]);
    if (!r.answer) return r.unknown ? r.unknown : verdict_unknown((Position){0}, "no time was left for an engine");
    verdict_free(r.unknown);
    return r.answer;
}
