/* SPDX-License-Identifier: Apache-2.0 */
/* The first engine has a moment alone, since most programs are decided by then; the others follow one after the other, sooner where a
   processor is idle. Where there are more than two processors, the idle ones are for spares: engines that go another way, by other orders,
   arithmetics, rules, seeds. They only help: the portfolio ends when the engines that always take part have ended.

   Instrumented to use fewer processors than there are, the engines take turns: all but a few are halted. All together have the memory that the
   run may have; if it is too little, spares go first, the latest before the others, then the largest.

   A reason is kept until somebody answers: the one that a user can best do something about (UnknownReason), with the others as notes. */
#include "process/portfolio.h"
#include "base/clock.h"
#include "check/accept.h"
#include "explain/explain.h"
#include "process/progress.h"
#include "result/property.h"
#include <string.h>

/* ---- engines by name ---- */

static const Engine *const engines[] = {&engine_explicit, &engine_redcomp, &engine_weave,     &engine_impact,
                                        &engine_threader, &engine_order,   &engine_race_free, &engine_rc11};
enum { NENGINES = sizeof engines / sizeof *engines };

const Engine *engine_named(const char *name) {
    for (unsigned i = 0; i < NENGINES; i++)
        if (!strcmp(name, engines[i]->name)) return engines[i];
    return NULL;
}

void engines_names(Buf *out) {
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(out, " %s", engines[i]->name);
}

void engines_list(Buf *out) {
    buf_text(out, "\nEngines:\n");
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(out, "  %-26s%s\n", engines[i]->name, engines[i]->summary);
}

/* Under C11, who asks for executions to be visited gets the engine that visits graphs. Only the engine explicit counts context switches. */
bool engine_takes_part(const Config *c, const Engine *e, const Question *q, MemoryModel memory) {
    bool graphs = memory == MEMORY_C11 && e == &engine_rc11;
    if (q->has_context_bound && e != &engine_explicit && !graphs) return false;
    if (c->engine && c->engine != e && !(graphs && c->engine == &engine_explicit)) return false;
    return e->memory == memory && e->supports(q->property);
}

/* ---- the portfolio ---- */

/* In the order in which they start: after so many seconds (sooner if a processor is idle), for a share of the time that is left then. */
typedef struct Entry {
    const Engine *engine;
    double start, share;
    bool spare;            /* only where a processor would be idle */
    bool hunts;            /* only executions at random, by another seed */
    bool many_threads;     /* only where there are many threads: its search does not grow with their product, but it is slower on few */
    EngineOptions options; /* what it does otherwise */
} Entry;

static const Entry entries[] = {
    {.engine = &engine_explicit, .start = 0, .share = 0.4},
    {.engine = &engine_rc11, .start = 0, .share = 1},
    {.engine = &engine_order, .start = 0.05, .share = 1},
    {.engine = &engine_redcomp, .start = 0.3, .share = 1},
    {.engine = &engine_threader, .start = 1, .share = 1, .many_threads = true},
    {.engine = &engine_weave, .start = 1.5, .share = 1},
    {.engine = &engine_impact, .start = 4, .share = 1},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.arith = BITVECTORS},
    {.engine = &engine_explicit, .share = 1, .spare = true, .hunts = true},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.impact_order = IMPACT_SWITCHES},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.weave_order = "all:lockstep"},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_MODULAR},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.arith = BITVECTORS},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.impact_constants = NO},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.weave_order = "all:steps"},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_PAIRS},
    {.engine = &engine_explicit, .share = 1, .spare = true, .hunts = true},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_REDSAFETY},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.arith = BITVECTORS},
};
enum { NENTRIES = sizeof entries / sizeof *entries };
static const double tick = 0.1;       /* a turn, and how often memory is looked at */
static const double clear_away = 0.5; /* spares end before the others: there are many */
_Static_assert((int)NENTRIES <= (int)MOST_WORKERS, "each has its place");

/* Those that always take part come first, in the order in which they start; variants of them follow. */
static bool entries_valid(void) {
    for (size_t i = 0; i < NENTRIES; i++) {
        const Entry *e = &entries[i], *before = i ? &entries[i - 1] : e;
        if (!e->engine || e->share <= 0 || e->share > 1 || e->spare < before->spare || (!e->spare && e->start < before->start))
            return false;
    }
    return true;
}

typedef struct Portfolio {
    const Work *work;
    Worker running[NENTRIES];
    Child *children[NENTRIES];
    size_t n;
    double start, turn_ends;
    double checks_since; /* a proof is being checked; 0: none */
    double alone;        /* since when one is left of those that always take part; 0: not yet */
    size_t turn;         /* the first of those whose turn it is */
    unsigned next;       /* entry to be started */
    unsigned cut_off;    /* one that used up its share, + 1 */
    Stats explored;      /* by the engine that visits states */
    Verdict *answer, *unknown;
} Portfolio;

/* An exhaustive search has no obligations to show: who asked for them gets an answer with a proof, if there is one in time. */
static bool is_final(const Portfolio *f) { return f->answer && (f->answer->proof != PROOF_EXHAUSTED || !f->work->question->certificate); }

/* There are more threads than MANY, and their number is known. */
static bool has_many_threads(const Program *p) {
    enum { MANY = 8 };
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        if (!p->templates[t]->count) return false;
        n += p->templates[t]->count;
    }
    return n > MANY;
}

static MemoryModel memory_of(const Work *w) { return w->route->settings.memory == MEMORY_AS_IS ? w->route->program->memory : MEMORY_SC; }

static bool takes_part(const Portfolio *f, const Entry *e) {
    const Work *w = f->work;
    bool alone = w->config->engine != NULL; /* the user named it: neither variants of it nor conditions */
    if (!engine_takes_part(w->config, e->engine, w->question, memory_of(w))) return false;
    return alone ? !e->spare : !e->many_threads || has_many_threads(w->route->program);
}

/* ---- verdicts ---- */

/* Who proves does not run into undefined behaviour; who runs the program has perhaps said where it is. */
static void take_cut(Verdict *v, Verdict *from) {
    if (!from || v->cut || !from->cut) return;
    v->cut = from->cut;
    v->cut_by = from->cut_by;
    from->cut = NULL;
}

static void take_answer(Portfolio *f, Verdict *v) {
    verdict_free(f->answer);
    f->answer = v;
}

static void take_reason(Portfolio *f, const Worker *from, Verdict *v) {
    Verdict *before = f->unknown;
    if (!before) {
        f->unknown = v;
    } else if (v->cause > before->cause) {
        take_cut(v, before);
        verdict_note_reason(v, before);
        for (size_t i = 0; i < vec_len(before->notes); i++) verdict_note(v, "%s", before->notes[i]);
        verdict_free(before);
        f->unknown = v;
    } else { /* it has said so before, or it is listed with others */
        if (!from->seed_offset && !explain_lists(f->work->route->program, v)) verdict_note_reason(before, v);
        take_cut(before, v);
        verdict_free(v);
    }
}

static bool is_spare(const Worker *w) { return entries[w->place].spare; }

static void take_verdict(Portfolio *f, const Worker *from, Verdict *v) {
    if (v->kind != VERDICT_UNKNOWN) take_answer(f, v);
    else if (is_spare(from)) verdict_free(v); /* the reason is of one that always takes part: the same on all machines */
    else take_reason(f, from, v);
}

/* ---- who runs ---- */

static void add_worker(Portfolio *f, Worker worker) {
    f->running[f->n] = worker;
    f->children[f->n] = &f->running[f->n].child;
    f->n++;
}

static void remove_worker(Portfolio *f, size_t i) {
    f->running[i] = f->running[--f->n];
    f->children[i] = &f->running[i].child;
}

/* When the next is to be started. */
static double next_start(const Portfolio *f) {
    static const double head_start = 0.3;
    const Config *c = f->work->config;
    const Entry *e = &entries[f->next];
    bool idle = f->n < c->jobs;
    if (f->next == NENTRIES || (e->spare && (!idle || c->jobs <= 2))) return f->work->time.deadline + 1;
    double start = e->spare || (idle && e->start > head_start) ? head_start : e->start;
    return f->n ? f->start + start : f->start;
}

/* Does it what it was not told to do otherwise? *o: as the user wants it; then, as the entry does. */
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

static void start_entry(Portfolio *f, unsigned i, double share, uint64_t seed_offset) {
    Worker worker = worker_new(f->work, entries[i].engine, i, f->work->config->engine ? 1 : share);
    worker.seed_offset = seed_offset;
    worker.hunts = entries[i].hunts;
    if (entries[i].spare) worker.deadline -= clear_away;
    if (!vary(&worker.options, &entries[i].options)) return;
    worker_start(&worker);
    add_worker(f, worker);
}

static void start_engines(Portfolio *f) {
    while (f->next < NENTRIES && !is_final(f) && clock_seconds() >= next_start(f)) {
        unsigned i = f->next++;
        if (takes_part(f, &entries[i])) start_entry(f, i, entries[i].share, entries[i].hunts ? i : 0);
    }
}

/* An engine whose share ended, not its ideas. */
static void note_cut_off(Portfolio *f, const Worker *done) {
    double left = done->deadline - clock_seconds(), share = done->deadline - f->start;
    if (!f->work->config->engine && entries[done->place].share < 1 && left < 0.1 * share + 0.3) f->cut_off = done->place + 1;
}

/* Of those that always take part: how many still run, or have yet to start; *last: one of those that run. */
static size_t count_regular(Portfolio *f, Worker **last) {
    size_t n = 0;
    for (unsigned i = f->next; i < NENTRIES; i++) n += !entries[i].spare && takes_part(f, &entries[i]);
    for (size_t i = 0; i < f->n; i++) {
        if (is_spare(&f->running[i])) continue;
        *last = &f->running[i];
        n++;
    }
    return n;
}

/* The others have given up: the one that still runs has all the time. */
static void extend_last(Portfolio *f) {
    Worker *last = NULL;
    if (count_regular(f, &last) != 1 || !last) return;
    worker_extend(last, f->work->time.deadline);
    if (!f->alone) f->alone = clock_seconds();
}

/* There is an error if something is so that is not known, and the last one has had a while to find one without that: as long again, and some seconds. */
static bool is_doubtful(const Portfolio *f) {
    static const double patience = 5;
    return !f->work->config->engine && f->alone && f->unknown && f->unknown->cause == REASON_ASSUMED &&
           clock_seconds() > f->alone + (f->alone - f->start) + patience;
}

/* The others have given up: what is left of the time is for one that was cut off, which tries another seed. */
static void use_rest(Portfolio *f) {
    Worker *last = NULL;
    if (count_regular(f, &last) || f->answer || !f->cut_off || slot_left(f->work->time) < 1) return;
    start_entry(f, f->cut_off - 1, 1, 1);
    f->cut_off = 0;
}

/* ---- what they share ---- */

/* Where the scheduler would give them more processors than asked for, they have them in turn. */
static void take_turns(Portfolio *f) {
    size_t at_once = f->work->config->jobs;
    if (at_once >= f->work->config->processors || clock_seconds() < f->turn_ends) return;
    f->turn_ends = clock_seconds() + tick;
    f->turn = f->n ? (f->turn + at_once) % f->n : 0;
    for (size_t i = 0; i < f->n; i++) worker_halt(&f->running[i], (i + f->n - f->turn) % f->n >= at_once);
}

/* While a proof is checked, who searches waits, for a while, unless there are processors for all. */
static void make_way(Portfolio *f) {
    static const double longest = 2;
    const Config *c = f->work->config;
    bool checks = false;
    if (c->jobs < c->processors) return; /* they take turns */
    for (size_t i = 0; i < f->n; i++) checks |= f->running[i].claim != NULL;
    f->checks_since = !checks ? 0 : f->checks_since ? f->checks_since : clock_seconds();
    bool wait = checks && f->n > c->jobs && clock_seconds() < f->checks_since + longest;
    for (size_t i = 0; i < f->n; i++) worker_halt(&f->running[i], wait && !f->running[i].claim);
}

/* Who has to go: a spare rather than another, the latest of these; else the largest. */
static Worker *to_be_dropped(Portfolio *f, const uint64_t *memory) {
    size_t worst = 0;
    for (size_t i = 1; i < f->n; i++) {
        bool spare = is_spare(&f->running[i]), before = is_spare(&f->running[worst]);
        if (spare != before ? spare : spare ? f->running[i].place > f->running[worst].place : memory[i] > memory[worst]) worst = i;
    }
    return &f->running[worst];
}

static void share_memory(Portfolio *f) {
    uint64_t memory[NENTRIES], sum = 0;
    for (size_t i = 0; i < f->n; i++) sum += memory[i] = worker_memory(&f->running[i]);
    if (f->n < 2 || sum <= f->work->config->memory) return;
    Worker *large = to_be_dropped(f, memory);
    large->too_large = true;
    large->child.limits.deadline = 0; /* it is done */
}

/* ---- all ---- */

static double next_event(const Portfolio *f) {
    double start = next_start(f), soon = clock_seconds() + tick;
    return (f->n > 1 || f->alone) && soon < start ? soon : start;
}

static bool goes_on(Portfolio *f) {
    Worker *last = NULL;
    return f->n && count_regular(f, &last) && !is_final(f) && !is_doubtful(f);
}

/* Those whose time is over go at once, though they are looked at one after the other. */
static void kill_late(Portfolio *f) {
    double now = clock_seconds();
    for (size_t i = 0; i < f->n; i++)
        if (f->children[i]->limits.deadline <= now) child_kill(f->children[i]);
}

static void end_of(Portfolio *f, size_t i) {
    kill_late(f);
    Worker done = f->running[i];
    remove_worker(f, i);
    f->turn_ends = 0;
    note_cut_off(f, &done);
    Verdict *v = worker_finish(&done);
    if (v) take_verdict(f, &done, v);
    else add_worker(f, done);
}

static Verdict *run_engines(Portfolio *f) {
    for (start_engines(f); goes_on(f); start_engines(f), use_rest(f), extend_last(f)) {
        size_t i = children_wait(f->children, f->n, next_event(f));
        if (i < f->n) end_of(f, i);
        take_turns(f);
        make_way(f);
        share_memory(f);
    }
    for (size_t i = 0; i < f->n; i++) child_kill(f->children[i]);
    while (f->n) worker_stop(&f->running[--f->n]);
    if (f->answer) take_cut(f->answer, f->unknown);
    if (!f->answer) return f->unknown ? f->unknown : verdict_unknown((Position){0}, "no time was left for an engine");
    verdict_free(f->unknown);
    return f->answer;
}

/* The static proof was looked for when races were made errors, and takes no process. NULL: there is none, the engines go on. */
static Verdict *prove_race_free(const Work *w) {
    EngineTask task = {.question = w->question};
    if (w->question->property != PROPERTY_NO_DATA_RACE || memory_of(w) != engine_race_free.memory) return NULL;
    progress_phase("looking for accesses that may race");
    Chain *chain = route_chain(w->route, true);
    if (!chain) return route_refusal(w->route);
    task.asked = &chain->asked;
    Verdict *v = engine_race_free.run(&task);
    v->engine = engine_race_free.name;
    if (v->kind == VERDICT_SAFE) v = accept_verdict(w->route->program, w->question, v, chain->asked.apart, 0);
    if (v->kind == VERDICT_SAFE || w->config->engine == &engine_race_free) return v;
    verdict_free(v);
    return NULL;
}

static Verdict *not_supported(const Work *w) {
    const Engine *e = w->config->engine;
    if (e && e->supports(w->question->property))
        return verdict_unknown((Position){0}, "the engine %s is not for this memory model%s", e->name,
                               e == &engine_rc11 ? "; --memory-model c11 is its own" : "");
    return verdict_unknown((Position){0}, "the engine %s is not for the property %s", w->config->engine_name,
                           property_name(w->question->property));
}

static bool is_supported(const Portfolio *f) {
    for (unsigned i = 0; i < NENTRIES; i++)
        if (takes_part(f, &entries[i])) return true;
    return false;
}

Verdict *portfolio_run(const Work *work) {
    ensure(entries_valid() && config_valid(work->config) && route_valid(work->route));
    Work w = *work;
    Portfolio f = {.work = &w, .start = clock_seconds()};
    Verdict *v = prove_race_free(&w);
    if (v) return v;
    if (!is_supported(&f)) return not_supported(&w);
    w.board = board_new();
    progress_phase("running the engine");
    v = run_engines(&f);
    for (unsigned i = 0; i < NENTRIES; i++) {
        v->met_undefined |= w.board->stats[i].undefined != 0;
        if (entries[i].engine == &engine_explicit && !entries[i].spare) v->explored = w.board->stats[i];
    }
    board_free(w.board);
    return v;
}
