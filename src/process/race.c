/* SPDX-License-Identifier: Apache-2.0 */
/* The first engine has a moment alone, since most programs are decided by then; the others follow one after the other, sooner where a
   processor is idle. Where there are more than two processors, the idle ones are for extras: engines that go another way, by other orders,
   arithmetics, rules, seeds. They only help: the race is over when the engines that always take part have ended.

   Asked to use fewer processors than there are, the engines take turns: all but a few are halted. All together have the memory that the
   run may have; if it is too little, extras go first, the latest before the others, then the largest.

   A reason is kept until somebody answers: the one that a user can best do something about (Cause), with the others as notes. */
#include "process/race.h"
#include "base/clock.h"
#include "base/vec.h"
#include "explain/explain.h"
#include "check/judge.h"
#include "process/runner.h"
#include <string.h>

/* In the order in which they start: after so many seconds (sooner if a processor is idle), for a share of the time that is left then. */
typedef struct Contestant {
    const Engine *engine;
    double start, share;
    bool extra;            /* only where a processor would be idle */
    bool hunts;            /* only executions at random, by another seed */
    bool crowds;           /* only where there are many threads: its search does not grow with their product, but it is slower on few */
    EngineOptions options; /* what it does otherwise */
} Contestant;

static const Contestant contestants[] = {
    {.engine = &engine_explicit, .start = 0, .share = 0.4},
    {.engine = &engine_order, .start = 0.05, .share = 1},
    {.engine = &engine_redcomp, .start = 0.3, .share = 1},
    {.engine = &engine_threader, .start = 1, .share = 1, .crowds = true},
    {.engine = &engine_weave, .start = 1.5, .share = 1},
    {.engine = &engine_impact, .start = 4, .share = 1},
    {.engine = &engine_redcomp, .share = 1, .extra = true, .options.arith = BITVECTORS},
    {.engine = &engine_explicit, .share = 1, .extra = true, .hunts = true},
    {.engine = &engine_impact, .share = 1, .extra = true, .options.impact_order = IMPACT_SWITCHES},
    {.engine = &engine_weave, .share = 1, .extra = true, .options.weave_order = "all:lockstep"},
    {.engine = &engine_redcomp, .share = 1, .extra = true, .options.rule = HORN_MODULAR},
    {.engine = &engine_weave, .share = 1, .extra = true, .options.arith = BITVECTORS},
    {.engine = &engine_impact, .share = 1, .extra = true, .options.impact_constants = NO},
    {.engine = &engine_weave, .share = 1, .extra = true, .options.weave_order = "all:steps"},
    {.engine = &engine_redcomp, .share = 1, .extra = true, .options.rule = HORN_PAIRS},
    {.engine = &engine_explicit, .share = 1, .extra = true, .hunts = true},
    {.engine = &engine_redcomp, .share = 1, .extra = true, .options.rule = HORN_REDSAFETY},
    {.engine = &engine_impact, .share = 1, .extra = true, .options.arith = BITVECTORS},
};
enum { NCONTESTANTS = sizeof contestants / sizeof *contestants };
static const double tick = 0.1;       /* a turn, and how often memory is looked at */
static const double clear_away = 0.5; /* extras end before the others: there are many */
_Static_assert((int)NCONTESTANTS <= (int)MOST_RUNNERS, "each has its place");

typedef struct Race {
    Job *job;
    Runner running[NCONTESTANTS];
    Child *children[NCONTESTANTS];
    size_t n;
    double start, turn_ends;
    double checks_since; /* a proof is being checked; 0: none */
    double alone;        /* since when one is left of those that always take part; 0: not yet */
    size_t turn;         /* the first of those whose turn it is */
    unsigned next;       /* contestant to be started */
    unsigned cut_off;    /* one that used up its share, + 1 */
    Verdict *answer, *unknown;
} Race;

/* An exhaustive search has no obligations to show: who asked for them gets an answer with a proof, if there is one in time. */
static bool is_final(const Job *job, const Verdict *answer) {
    return answer && (answer->proof != PROOF_EXHAUSTED || !job_wants_obligations(job));
}

/* There are more threads than CROWD, and their number is known. */
static bool has_crowd(const Program *p) {
    enum { CROWD = 8 };
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        if (!p->templates[t]->count) return false;
        n += p->templates[t]->count;
    }
    return n > CROWD;
}

/* Is the contestant for this property, and this program? */
static bool takes_part(const Job *job, const Contestant *c) {
    return c->engine->supports(job->question.property) && (!c->crowds || has_crowd(job->program));
}

/* ---- verdicts ---- */

/* Who proves does not run into undefined behaviour; who runs the program has perhaps said where it is. */
static void take_cut(Verdict *v, Verdict *from) {
    if (!from || v->cut || !from->cut) return;
    v->cut = from->cut;
    v->cut_by = from->cut_by;
    from->cut = NULL;
}

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
        take_cut(v, before);
        verdict_note_reason(v, before);
        for (size_t i = 0; i < vec_len(before->notes); i++) verdict_note(v, "%s", before->notes[i]);
        verdict_free(before);
        r->unknown = v;
    } else { /* it has said so before, or it will be told with others */
        if (!from->luck && !explain_lists(r->job->program, v)) verdict_note_reason(before, v);
        take_cut(before, v);
        verdict_free(v);
    }
}

static bool is_extra(const Runner *r) { return contestants[r->place].extra; }

static void take_verdict(Race *r, const Runner *from, Verdict *v) {
    v = judge_witness(r->job, v);
    if (v->kind != VERDICT_UNKNOWN) take_answer(r, from, v);
    else if (is_extra(from)) verdict_free(v); /* the reason is of one who always takes part: the same on all machines */
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
    const Contestant *c = &contestants[r->next];
    bool idle = r->n < r->job->jobs;
    if (r->next == NCONTESTANTS || (c->extra && (!idle || r->job->jobs <= 2))) return r->job->deadline + 1;
    double start = c->extra || (idle && c->start > head_start) ? head_start : c->start;
    return r->n ? r->start + start : r->start;
}

/* Does it what it was not told to do otherwise? *o: as the user wants it; then, as the contestant does. */
static bool vary(EngineOptions *o, const EngineOptions *by) {
#define TEXT(f, l, a, usual, h)                             \
    if (by->f && o->f && strcmp(o->f, usual)) return false; \
    if (by->f) o->f = by->f;
#define CHOICE(f, t, l, usual, h, ...) \
    if (by->f && o->f) return false;   \
    if (by->f) o->f = by->f;
#include "engine/options.def"
#undef TEXT
#undef CHOICE
    return true;
}

static void start_contestant(Race *r, unsigned i, double share, uint64_t luck) {
    Runner runner = runner_new(r->job, contestants[i].engine, i, share);
    runner.luck = luck;
    runner.hunts = contestants[i].hunts;
    if (contestants[i].extra) runner.deadline -= clear_away;
    if (!vary(&runner.options, &contestants[i].options)) return;
    runner_start(&runner);
    join_race(r, runner);
}

static void start_engines(Race *r) {
    while (r->next < NCONTESTANTS && clock_seconds() >= next_start(r)) {
        unsigned i = r->next++;
        if (takes_part(r->job, &contestants[i])) start_contestant(r, i, contestants[i].share, contestants[i].hunts ? i : 0);
    }
}

/* An engine whose share ended, not its ideas. */
static void note_cut_off(Race *r, const Runner *done) {
    double left = done->deadline - clock_seconds(), share = done->deadline - r->start;
    if (contestants[done->place].share < 1 && left < 0.1 * share + 0.3) r->cut_off = done->place + 1;
}

/* Of those that always take part: how many still run, or have yet to start; *last: one of those that run. */
static size_t count_regular(Race *r, Runner **last) {
    size_t n = 0;
    for (unsigned i = r->next; i < NCONTESTANTS; i++) n += !contestants[i].extra && takes_part(r->job, &contestants[i]);
    for (size_t i = 0; i < r->n; i++) {
        if (is_extra(&r->running[i])) continue;
        *last = &r->running[i];
        n++;
    }
    return n;
}

/* The others have given up: the one that still runs has all the time. */
static void extend_last(Race *r) {
    Runner *last = NULL;
    if (count_regular(r, &last) != 1 || !last) return;
    runner_extend(last, r->job->deadline);
    if (!r->alone) r->alone = clock_seconds();
}

/* There is an error if something is so that is not known, and the last one has had a while to find one without that: as long again, and some seconds. */
static bool is_doubtful(const Race *r) {
    static const double patience = 5;
    return r->alone && r->unknown && r->unknown->cause == CAUSE_ASSUMED && clock_seconds() > r->alone + (r->alone - r->start) + patience;
}

/* The others have given up: what is left of the time is for one that was cut off, which tries its luck anew. */
static void use_rest(Race *r) {
    Runner *last = NULL;
    if (count_regular(r, &last) || r->answer || !r->cut_off || r->job->deadline - clock_seconds() < 1) return;
    start_contestant(r, r->cut_off - 1, 1, 1);
    r->cut_off = 0;
}

/* ---- what they share ---- */

/* Where the scheduler would give them more processors than asked for, they have them in turn. */
static void take_turns(Race *r) {
    size_t at_once = r->job->jobs;
    if (at_once >= r->job->processors || clock_seconds() < r->turn_ends) return;
    r->turn_ends = clock_seconds() + tick;
    r->turn = r->n ? (r->turn + at_once) % r->n : 0;
    for (size_t i = 0; i < r->n; i++) runner_halt(&r->running[i], (i + r->n - r->turn) % r->n >= at_once);
}

/* While a proof is checked, who searches waits, for a while, unless there are processors for all. */
static void make_way(Race *r) {
    static const double longest = 2;
    bool checks = false;
    if (r->job->jobs < r->job->processors) return; /* they take turns */
    for (size_t i = 0; i < r->n; i++) checks |= r->running[i].claim != NULL;
    r->checks_since = !checks ? 0 : r->checks_since ? r->checks_since : clock_seconds();
    bool wait = checks && r->n > r->job->jobs && clock_seconds() < r->checks_since + longest;
    for (size_t i = 0; i < r->n; i++) runner_halt(&r->running[i], wait && !r->running[i].claim);
}

/* Who has to go: an extra rather than another, the latest of these; else the largest. */
static Runner *to_be_dropped(Race *r, const uint64_t *memory) {
    size_t worst = 0;
    for (size_t i = 1; i < r->n; i++) {
        bool extra = is_extra(&r->running[i]), before = is_extra(&r->running[worst]);
        if (extra != before ? extra : extra ? r->running[i].place > r->running[worst].place : memory[i] > memory[worst]) worst = i;
    }
    return &r->running[worst];
}

static void share_memory(Race *r) {
    uint64_t memory[NCONTESTANTS], sum = 0;
    for (size_t i = 0; i < r->n; i++) sum += memory[i] = runner_memory(&r->running[i]);
    if (r->n < 2 || sum <= job_memory(r->job)) return;
    Runner *large = to_be_dropped(r, memory);
    large->too_large = true;
    large->child.limits.deadline = 0; /* it is done */
}

/* ---- all ---- */

static double next_event(const Race *r) {
    double start = next_start(r), soon = clock_seconds() + tick;
    return (r->n > 1 || r->alone) && soon < start ? soon : start;
}

static bool goes_on(Race *r) {
    Runner *last = NULL;
    return r->n && count_regular(r, &last) && !is_final(r->job, r->answer) && !is_doubtful(r);
}

/* Those whose time is over go at once, though they are looked at one after the other. */
static void kill_late(Race *r) {
    double now = clock_seconds();
    for (size_t i = 0; i < r->n; i++)
        if (r->children[i]->limits.deadline <= now) child_kill(r->children[i]);
}

static void end_of(Race *r, size_t i) {
    kill_late(r);
    Runner done = r->running[i];
    leave_race(r, i);
    r->turn_ends = 0;
    note_cut_off(r, &done);
    Verdict *v = runner_finish(&done);
    if (v) take_verdict(r, &done, v);
    else join_race(r, done);
}

Verdict *race(Job *job) {
    Race r = {.job = job, .start = clock_seconds()};
    for (start_engines(&r); goes_on(&r); start_engines(&r), use_rest(&r), extend_last(&r)) {
        size_t i = children_wait(r.children, r.n, next_event(&r));
        if (i < r.n) end_of(&r, i);
        take_turns(&r);
        make_way(&r);
        share_memory(&r);
    }
    for (size_t i = 0; i < r.n; i++) child_kill(r.children[i]);
    while (r.n) runner_stop(&r.running[--r.n]);
    if (r.answer) take_cut(r.answer, r.unknown);
    if (!r.answer) return r.unknown ? r.unknown : verdict_unknown((Position){0}, "no time was left for an engine");
    verdict_free(r.unknown);
    return r.answer;
}
