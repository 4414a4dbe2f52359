/* SPDX-License-Identifier: Apache-2.0 */
/* Runs several engines on one question. The first engine starts alone, since it decides most programs within a moment. Each further
   engine starts after a delay, or sooner if a processor is idle. With more than two processors, idle ones run spares: variants of the
   engines with other orders, arithmetics, rules or seeds. The portfolio does not wait for spares: it ends when the engines that always
   take part have ended.
   If the run may use fewer processors than the machine has, the engines take turns: all but a few are halted. All engines share the
   memory of the run. If it does not suffice, the latest spare is stopped first, and then the largest engine.
   Until an engine answers, the portfolio keeps the reason of UNKNOWN on which a user can best act (UnknownReason), and the other reasons
   as notes. */
#include "process/portfolio.h"
#include "base/clock.h"
#include "check/accept.h"
#include "explain/explain.h"
#include "process/claims.h"
#include "process/messages.h"
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

/* Only the engine explicit counts context switches. Under C11, the engine rc11, which visits execution graphs, takes its place. */
bool engine_takes_part(const Config *c, const Engine *e, const Question *q, MemoryModel memory) {
    bool graphs = memory == MEMORY_C11 && e == &engine_rc11;
    if (q->has_context_bound && e != &engine_explicit && !graphs) return false;
    if (c->engine && c->engine != e && !(graphs && c->engine == &engine_explicit)) return false;
    return e->memory == memory && e->supports(q->property);
}

/* ---- the portfolio ---- */

/* An engine of the portfolio. Entries are in the order in which they start. */
typedef struct Entry {
    const Engine *engine;
    double start, share; /* start: seconds after which it starts, or sooner if a processor is idle; share: of the time that remains then */
    bool spare;          /* starts only where a processor would be idle */
    bool simulates_only; /* tries only random executions, with another seed */
    bool many_threads;   /* takes part only if there are many threads: its search does not grow with their product, but is slower on few */
    EngineOptions options; /* the options in which it differs */
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
    {.engine = &engine_explicit, .share = 1, .spare = true, .simulates_only = true},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.impact_order = IMPACT_SWITCHES},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.weave_order = "all:lockstep"},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_MODULAR},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.arith = BITVECTORS},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.impact_constants = SETTING_NO},
    {.engine = &engine_weave, .share = 1, .spare = true, .options.weave_order = "all:steps"},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_PAIRS},
    {.engine = &engine_explicit, .share = 1, .spare = true, .simulates_only = true},
    {.engine = &engine_redcomp, .share = 1, .spare = true, .options.rule = HORN_REDSAFETY},
    {.engine = &engine_impact, .share = 1, .spare = true, .options.arith = BITVECTORS},
};
enum { NENTRIES = sizeof entries / sizeof *entries };
static const double tick = 0.1;       /* length of a turn, and interval between checks of memory */
static const double clear_away = 0.5; /* seconds by which spares end earlier, since there are many to end */
_Static_assert((int)NENTRIES <= (int)MOST_WORKERS, "each entry has its place on the board");

/* Returns whether the engines that always take part come first, in the order in which they start, and spares follow. */
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
    double checks_since; /* when the check of a proof began; 0: no proof is being checked */
    double alone;        /* since when only one engine that always takes part remains; 0: several do */
    size_t turn;         /* index of the first worker of the current turn */
    unsigned next;       /* index of the next entry to start */
    unsigned cut_off;    /* 1 + the entry of an engine that used up its share; 0: none */
    Stats explored;      /* counters of the engine explicit */
    Verdict *answer, *unknown;
} Portfolio;

/* Returns whether the search can end. An exhaustive search has no obligations for a certificate: if one is wanted, the search continues
   for an answer with a proof. */
static bool is_final(const Portfolio *f) { return f->answer && (f->answer->proof != PROOF_EXHAUSTED || !f->work->question->certificate); }

/* Returns whether the number of threads is known and larger than MANY. */
static bool has_many_threads(const Program *p) {
    enum { MANY = 8 };
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        if (!p->templates[t]->count) return false;
        n += p->templates[t]->count;
    }
    return n > MANY;
}

MemoryModel work_memory(const Work *w) { return w->route->settings.memory == MEMORY_AS_IS ? w->route->program->memory : MEMORY_SC; }

static bool takes_part(const Portfolio *f, const Entry *e) {
    const Work *w = f->work;
    bool alone = w->config->engine != NULL; /* the user named the engine: it runs without variants and conditions */
    if (!engine_takes_part(w->config, e->engine, w->question, work_memory(w))) return false;
    return alone ? !e->spare : !e->many_threads || has_many_threads(w->route->program);
}

/* ---- verdicts ---- */

/* Moves the place of undefined behaviour to v. An engine that proves meets no undefined behaviour, but an engine that runs the program
   may have found it. */
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
    } else { /* a repeated reason, or one that is in the program's list already */
        if (!from->seed_offset && !explain_lists(f->work->route->program, v)) verdict_note_reason(before, v);
        take_cut(before, v);
        verdict_free(v);
    }
}

static bool is_spare(const Worker *w) { return entries[w->place].spare; }

static void take_verdict(Portfolio *f, const Worker *from, Verdict *v) {
    if (v->kind != VERDICT_UNKNOWN) take_answer(f, v);
    else if (is_spare(from)) verdict_free(v); /* reasons must be the same on all machines, with or without spares */
    else take_reason(f, from, v);
}

/* ---- workers ---- */

static void add_worker(Portfolio *f, Worker worker) {
    f->running[f->n] = worker;
    f->children[f->n] = &f->running[f->n].child;
    f->n++;
}

static void remove_worker(Portfolio *f, size_t i) {
    f->running[i] = f->running[--f->n];
    f->children[i] = &f->running[i].child;
}

/* Returns when the next entry starts. */
static double next_start(const Portfolio *f) {
    static const double head_start = 0.3;
    const Config *c = f->work->config;
    const Entry *e = &entries[f->next];
    bool idle = f->n < c->jobs;
    if (f->next == NENTRIES || (e->spare && (!idle || c->jobs <= 2))) return f->work->time.deadline + 1;
    double start = e->spare || (idle && e->start > head_start) ? head_start : e->start;
    return f->n ? f->start + start : f->start;
}

/* Adds the options of an entry to those of the user. Returns false if the user has set one of them. */
static bool merge_options(EngineOptions *o, const EngineOptions *by) {
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
    worker.simulates_only = entries[i].simulates_only;
    if (entries[i].spare) worker.deadline -= clear_away;
    if (!merge_options(&worker.options, &entries[i].options)) return;
    worker_start(&worker);
    add_worker(f, worker);
}

static void start_engines(Portfolio *f) {
    while (f->next < NENTRIES && !is_final(f) && clock_seconds() >= next_start(f)) {
        unsigned i = f->next++;
        if (takes_part(f, &entries[i])) start_entry(f, i, entries[i].share, entries[i].simulates_only ? i : 0);
    }
}

/* Notes an engine that ended because its share was used up, not because it gave up. */
static void note_cut_off(Portfolio *f, const Worker *done) {
    double left = done->deadline - clock_seconds(), share = done->deadline - f->start;
    if (!f->work->config->engine && entries[done->place].share < 1 && left < 0.1 * share + 0.3) f->cut_off = done->place + 1;
}

/* Returns how many engines that always take part run or have yet to start; *last is one that runs. */
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

/* Gives the rest of the time to the only remaining engine that always takes part. */
static void extend_last(Portfolio *f) {
    Worker *last = NULL;
    if (count_regular(f, &last) != 1 || !last) return;
    worker_extend(last, f->work->time.deadline);
    if (f->alone <= 0) f->alone = clock_seconds();
}

/* Returns whether to stop with an error that depends on an assumption. The last engine had the same time again, and some seconds, to
   find an error without assumptions. */
static bool is_doubtful(const Portfolio *f) {
    static const double patience = 5;
    return !f->work->config->engine && f->alone > 0 && f->unknown && f->unknown->cause == REASON_ASSUMED &&
           clock_seconds() > f->alone + (f->alone - f->start) + patience;
}

/* Starts an engine that was cut off again, with another seed, if all other engines have given up. */
static void use_rest(Portfolio *f) {
    Worker *last = NULL;
    if (count_regular(f, &last) || f->answer || !f->cut_off || slot_left(f->work->time) < 1) return;
    start_entry(f, f->cut_off - 1, 1, 1);
    f->cut_off = 0;
}

/* ---- processors and memory ---- */

/* Lets the workers take turns if the scheduler would give them more processors than the user allows. */
static void take_turns(Portfolio *f) {
    size_t at_once = f->work->config->jobs;
    if (at_once >= f->work->config->processors || clock_seconds() < f->turn_ends) return;
    f->turn_ends = clock_seconds() + tick;
    f->turn = f->n ? (f->turn + at_once) % f->n : 0;
    for (size_t i = 0; i < f->n; i++) worker_halt(&f->running[i], (i + f->n - f->turn) % f->n >= at_once);
}

/* Suspends the searching workers for a short time while a proof is checked, unless there are processors for all. */
static void favour_checks(Portfolio *f) {
    static const double longest = 2;
    const Config *c = f->work->config;
    bool checks = false;
    if (c->jobs < c->processors) return; /* the workers take turns */
    for (size_t i = 0; i < f->n; i++) checks |= f->running[i].claim != NULL;
    f->checks_since = !checks ? 0 : f->checks_since > 0 ? f->checks_since : clock_seconds();
    bool wait = checks && f->n > c->jobs && clock_seconds() < f->checks_since + longest;
    for (size_t i = 0; i < f->n; i++) worker_halt(&f->running[i], wait && !f->running[i].claim);
}

/* Returns the worker to stop for lack of memory: the latest spare, or else the largest worker. */
static Worker *worker_to_stop(Portfolio *f, const uint64_t *memory) {
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
    Worker *large = worker_to_stop(f, memory);
    large->too_large = true;
    large->child.limits.deadline = 0; /* makes children_wait return it */
}

/* ---- the portfolio's run ---- */

static double next_event(const Portfolio *f) {
    double start = next_start(f), soon = clock_seconds() + tick;
    return (f->n > 1 || f->alone > 0) && soon < start ? soon : start;
}

static bool must_continue(Portfolio *f) {
    Worker *last = NULL;
    return f->n && count_regular(f, &last) && !is_final(f) && !is_doubtful(f);
}

/* Kills all workers whose time is over, so that they end at the same time although they are handled in sequence. */
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
    for (start_engines(f); must_continue(f); start_engines(f), use_rest(f), extend_last(f)) {
        size_t i = children_wait(f->children, f->n, next_event(f));
        if (i < f->n) end_of(f, i);
        take_turns(f);
        favour_checks(f);
        share_memory(f);
    }
    for (size_t i = 0; i < f->n; i++) child_kill(f->children[i]);
    while (f->n) worker_stop(&f->running[--f->n]);
    if (f->answer) take_cut(f->answer, f->unknown);
    if (!f->answer) return f->unknown ? f->unknown : verdict_unknown((Position){0}, MSG_PROCESS_NO_TIME_LEFT);
    verdict_free(f->unknown);
    return f->answer;
}

/* Runs the static race check, which needs no process, since its proof was made together with the instrumented program. Returns NULL if
   the engines must decide. */
static Verdict *prove_race_free(const Work *w) {
    EngineTask task = {.question = w->question};
    if (w->question->property != PROPERTY_NO_DATA_RACE || work_memory(w) != engine_race_free.memory) return NULL;
    progress_phase("looking for accesses that may race");
    Chain *chain = route_chain(w->route, true);
    if (!chain) return route_refusal(w->route);
    task.instrumented = &chain->instrumented;
    Verdict *v = engine_race_free.run(&task);
    v->engine = engine_race_free.name;
    if (v->kind == VERDICT_SAFE) {
        v = accept_verdict(w->route->program, w->question, v, chain->instrumented.race_proof, 0);
        v = accept_omissions(work_certify(w, v), chain->omissions);
    }
    if (v->kind == VERDICT_SAFE || w->config->engine == &engine_race_free) return v;
    verdict_free(v);
    return NULL;
}

static Verdict *not_supported(const Work *w) {
    const Engine *e = w->config->engine;
    if (e && e->supports(w->question->property))
        return verdict_unknown((Position){0}, e == &engine_rc11 ? MSG_PROCESS_ENGINE_NEEDS_C11 : MSG_PROCESS_ENGINE_MEMORY_MODEL, e->name);
    return verdict_unknown((Position){0}, MSG_PROCESS_ENGINE_PROPERTY, w->config->engine_name, property_name(w->question->property));
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
    if (w.config->claims) return claims_check(&w);
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
