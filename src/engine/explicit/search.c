/* SPDX-License-Identifier: Apache-2.0 */
/* Depth-first search of the state space, with every visited state stored once.

   The search moves by runs. A run starts at a stored state, lets one thread take a step (an atomic section counts as
   one), then lets every thread whose next step nobody can see take it, and goes on while a single thread's next step
   conflicts with nothing others may ever do; where it comes to rest the state is looked up. Inside a run, choices and the
   pick among actions are decisions, enumerated by running again from the stored state with the next decisions.

   Reduction: persistent sets (reduce.c) with the cycle proviso that a state from which a reduced step leads to a state on
   the stack is expanded in full; sleep sets with state caching (Godefroid, LNCS 1032, Chapter 5): a state remembers
   the threads that slept at every visit, and is taken up again for those that are awake this time.
   Invariant: a thread is put to sleep only if it was able to move, and it wakes when a conflicting step is taken; so a
   sleeping thread is able to move, and what its step leads to has been or will be explored elsewhere. */
#include "engine/explicit/store.h"
#include "engine/explicit/explicit.h"
#include "engine/explicit/symmetry.h"
#include "base/die.h"
#include <stdlib.h>

typedef struct Decision {
    uint32_t step;  /* of the run */
    bool choice;    /* a choice inside a step; else which action to take */
    bool exclusive; /* once an action was taken, no other can be */
    bool succeeded; /* some action was taken here */
    uint64_t value, count;
} Decision;

typedef struct Sleeper {
    unsigned thread;
    Footprint next; /* what its step touches */
} Sleeper;

typedef struct Frame {
    uint32_t handle;
    unsigned active;    /* the thread being explored, or 0 */
    bool again;         /* it has been run before */
    bool reduced;       /* others than todo may have to be explored */
    bool moved;         /* some thread of the set could move */
    bool fresh;         /* the state was not visited before */
    bool closes_cycle;
    bool holds_bit;     /* it set on_stack of the record */
    bool over;          /* an over-approximation was made on the way here */
    bool thread_moved;  /* the active one could */
    bool nobody_sleeps;
    bool atomic;        /* a thread is in an atomic section here */
    bool runner_moves;  /* the thread that ran last can go on */
    unsigned runner, switches; /* it, and switches so far (of a search that counts them) */
    Threads todo, set, everyone;
    Footprint touched;  /* by the active thread's step, over all decisions */
    size_t decisions, sleepers; /* where its own begin */
} Frame;

struct Search {
    Context *context;
    bool reduce;
    uint64_t memory, max_states;
    double until;
    bool begun;
    Store *store;
    State *state;
    Frame *frames; /* vecs */
    Decision *decisions;
    Sleeper *sleepers, *asleep;
    uint32_t *tuple;
    u128 *chosen;       /* in the step being tried */
    Trace *recording;
    Symmetry *symmetry; /* NULL: every thread is one of its own */
    unsigned most_switches; /* ANY_SWITCHES: they are not counted */
    unsigned runner, switches; /* of the run under way */
    bool cut;           /* an execution has more switches than that */
    bool asymmetric;    /* threads were taken as interchangeable that are not */
    unsigned real[MOST_SEARCHED + 1]; /* while recording: by number in the state, that in the trace */
    /* the run under way */
    size_t run_start, cursor;
    uint32_t step;
    bool guard_chose;   /* evaluating a guard in the step being tried */
    bool over;
    bool from_section;  /* it began in the middle of an atomic section: it ends with that */
    Threads set;        /* persistent set of the state where it came to rest */
    bool set_known;
    uint64_t ticks;
};

enum { ANY_SWITCHES = ~0u };

typedef enum Moved { MOVED, STUCK, DEAD, ERROR, PRUNED } Moved;

/* Runs are cut (and their state stored) when they get long or have many decisions: what they lead to is then found
   again rather than run again. */
enum { LONG_RUN = 500, MANY_DECISIONS = 3 };

/* ---- steps and decisions ---- */

/* The decision taken at this point of the run, when it was run before; else, at the end of what was decided, a new
   one. NULL: the run goes on to later decisions, so this point had nothing to decide. */
static Decision *decide(Search *x, bool choice, uint64_t count, bool *fresh) {
    *fresh = x->cursor == vec_len(x->decisions);
    if (*fresh) {
        Decision d = {.step = x->step, .choice = choice, .count = count};
        vec_push(x->decisions, d);
    } else if (x->decisions[x->cursor].step != x->step || x->decisions[x->cursor].choice != choice) {
        return NULL;
    }
    return &x->decisions[x->cursor++];
}

static u128 choose(void *context, const Choice *c) {
    Search *x = context;
    Candidates all = inputs_candidates(x->context->inputs, c);
    if (!all.complete) context_sampled(x->context, c);
    uint64_t k = 0;
    if (all.count > 1) {
        bool fresh;
        const Decision *d = decide(x, true, all.count, &fresh);
        ensure(d);
        k = d->value;
        x->guard_chose |= !c->instr;
    }
    u128 value = all.values ? all.values[k] : k;
    vec_push(x->chosen, value);
    return value;
}

/* The next decisions of a run that began with those from start on. False: there are none. */
static bool next_decisions(Search *x, size_t start) {
    while (vec_len(x->decisions) > start) {
        Decision *d = &vec_last(x->decisions);
        if (d->choice) {
            if (++d->value < d->count) return true;
        } else if (d->value < d->count && !(d->succeeded && d->exclusive)) {
            d->value++;
            if (d->value < d->count || !d->succeeded) return true;
        }
        (void)vec_pop(x->decisions);
    }
    return false;
}

static void record_step(Search *x, unsigned thread, unsigned action) {
    u128 *choices = NULL;
    for (size_t i = 0; i < vec_len(x->chosen); i++) vec_push(choices, x->chosen[i]);
    trace_add(x->recording, x->real[thread], action, choices);
}

static Moved took(Search *x, unsigned thread, const Template *t, const Action *a) {
    if (x->recording) record_step(x, thread, a->index);
    else x->context->task->stats->steps++;
    if (action_is_over(x->context->program, a)) x->over = true;
    notice_step(x->context, t, a);
    if (context_arrive(x->context, t, a) != ARRIVAL_ERROR) return MOVED;
    return !x->over || x->recording || context_cares(x->context) ? ERROR : DEAD;
}

/* The decision at `mine`, a fresh one, turned out not to be one. */
static void undecide(Search *x, size_t mine) {
    (void)vec_pop(x->decisions);
    x->cursor = mine;
}

/* Let a thread take one action, as decided. STUCK: it has none that is enabled. DEAD: none for these decisions. */
static Moved thread_step(Search *x, unsigned thread) {
    const Site *site = reduction_site(x->context->reduction, x->state, thread);
    const Template *t = x->context->program->templates[state_template(x->state, thread)];
    Chooser chooser = {choose, x};
    size_t mine = x->cursor;
    bool fresh;
    x->step++;
    if (site->nout == 0) return STUCK;
    Decision *d = decide(x, false, site->nout, &fresh);
    if (fresh) d->exclusive = site->exclusive;
    for (uint64_t i = d ? d->value : 0; i < site->nout; i++) {
        vec_clear(x->chosen);
        size_t before = x->cursor;
        x->guard_chose = false;
        const Action *a = &t->actions[site->out[i]];
        if (context_beyond_limit(x->context, x->state, a)) continue;
        StepResult r = machine_step(x->context->machine, x->state, thread, a->index, &chooser, NULL);
        bool chose = x->cursor > before;
        if (r.status == STEP_FAULT) context_fault(x->context, a, &r);
        if (r.status != STEP_DONE && !chose) continue;
        if (d) x->decisions[mine].value = i; /* the vec may have moved */
        if (d && x->guard_chose) x->decisions[mine].exclusive = false; /* other values, other guards */
        if (r.status != STEP_DONE) return DEAD;
        if (d) x->decisions[mine].succeeded = true;
        if (fresh && site->exclusive && !chose) undecide(x, mine);
        return took(x, thread, t, a);
    }
    if (d && x->decisions[mine].succeeded) return DEAD;
    if (d) x->decisions[mine].value = site->nout;
    if (fresh) undecide(x, mine);
    return STUCK;
}

static bool counts(const Search *x) { return x->most_switches != ANY_SWITCHES; }

/* Counted by what the run used, so that it ends at the same point whenever it is run. */
static bool run_is_long(const Search *x) {
    return x->step > LONG_RUN || x->cursor - x->run_start > MANY_DECISIONS;
}

static bool section_is_long(const Search *x, uint32_t first) {
    return x->step - first > LONG_RUN || x->cursor - x->run_start > MANY_DECISIONS;
}

/* One step of a thread; if that enters an atomic section, all of it. */
static Moved transaction(Search *x, unsigned thread) {
    uint32_t first = x->step;
    Moved r = thread_step(x, thread);
    if (!x->reduce && !counts(x)) return r;
    while (r == MOVED && !section_is_long(x, first) && reduction_site(x->context->reduction, x->state, thread)->atomic) {
        r = thread_step(x, thread);
        if (r == STUCK) return DEAD; /* an atomic section that cannot go on has no outcome */
    }
    return r;
}

static void check_symmetry(Search *x, unsigned thread) {
    if (x->symmetry && !x->recording && !symmetry_holds(x->symmetry, x->state, thread)) x->asymmetric = true;
}

/* Let all threads do what nobody can see; where switches are counted, the one that runs. */
static Moved settle(Search *x) {
    for (unsigned t = 1; t <= state_threads(x->state); t++)
        while ((!counts(x) || t == x->runner) && reduction_site(x->context->reduction, x->state, t)->quiet && !run_is_long(x)) {
            Moved r = thread_step(x, t);
            if (r == STUCK) break;
            if (r != MOVED) return r;
            check_symmetry(x, t);
        }
    return MOVED;
}

/* ---- sleep ---- */

static void wake(Search *x, Footprint by) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(x->asleep); i++)
        if (!footprints_conflict(x->asleep[i].next, by)) x->asleep[kept++] = x->asleep[i];
    vec_resize(x->asleep, kept);
}

static bool is_asleep(const Sleeper *sleepers, unsigned thread) {
    for (size_t i = 0; i < vec_len(sleepers); i++)
        if (sleepers[i].thread == thread) return true;
    return false;
}

enum { SLEEP_BITS = 31 };

static uint32_t sleep_mask(const Search *x) {
    uint32_t mask = 0;
    for (size_t i = 0; i < vec_len(x->asleep); i++) mask |= 1u << (x->asleep[i].thread - 1);
    return mask;
}

/* ---- runs ---- */

/* From the state in hand: thread moves, and what follows of itself. *touched grows by the first step's footprint. */
static Moved run_on(Search *x, unsigned thread, Footprint *touched, bool *first_moved) {
    for (bool first = true;; first = false) {
        Footprint f = {0, 0};
        Moved r = MOVED;
        if (thread) {
            machine_track(x->context->machine, &f);
            r = transaction(x, thread);
            machine_track(x->context->machine, NULL);
            if (first) footprint_add(touched, f);
        }
        if (r == STUCK && !first) return MOVED; /* rest here after all: the set has to be widened */
        if (r != MOVED) return r;
        if (thread) check_symmetry(x, thread);
        *first_moved = true;
        x->set_known = false;
        if (!x->reduce) return counts(x) ? settle(x) : MOVED;
        wake(x, f);
        if ((r = settle(x)) != MOVED) return r;
        unsigned size;
        x->set = reduction_persistent(x->context->reduction, x->state, &size, &thread);
        x->set_known = true;
        if (size != 1 || run_is_long(x) || x->cursor > x->run_start + 1 || x->from_section) return MOVED;
        const Site *next = reduction_site(x->context->reduction, x->state, thread);
        if (next->enters || next->chancy) return MOVED; /* it may not come out, or not get there */
        if (is_asleep(x->asleep, thread)) {
            x->context->task->stats->slept++;
            return PRUNED;
        }
    }
}

/* A thread that waits or has ended is left without being interrupted. */
static bool is_switch(const Frame *f, unsigned thread) { return thread != f->runner && f->runner_moves; }

static void restore(Search *x, const Frame *f) {
    const Record *r = store_record(x->store, f->handle);
    state_from_tuple(x->context->machine, x->state, store_components(x->store), r->tuple, r->length - (counts(x) ? 2 : 0));
}

static Moved run(Search *x, Frame *f) {
    restore(x, f);
    x->run_start = x->cursor = f->decisions;
    x->step = 0;
    x->over = f->over;
    x->from_section = f->atomic;
    x->runner = f->active;
    x->switches = f->switches + is_switch(f, f->active);
    vec_clear(x->asleep);
    for (size_t i = f->sleepers; i < vec_len(x->sleepers); i++) vec_push(x->asleep, x->sleepers[i]);
    return run_on(x, f->active, &f->touched, &f->thread_moved);
}

/* ---- frames ---- */

static Threads all_threads(const Search *x) {
    Threads all = {{0}};
    for (unsigned t = 1; t <= state_threads(x->state); t++) threads_put(&all, t);
    return all;
}

/* The threads of the state at rest get other numbers. */
static void rename_threads(Search *x, const unsigned *to) {
    Threads set = {{0}};
    size_t kept = 0;
    for (unsigned t = 1; t <= state_threads(x->state); t++)
        if (threads_have(&x->set, t)) threads_put(&set, to[t]);
    x->set = set;
    for (size_t i = 0; i < vec_len(x->asleep); i++) {
        Sleeper s = x->asleep[i];
        s.thread = to[s.thread];
        if (s.thread <= SLEEP_BITS) x->asleep[kept++] = s;
    }
    vec_resize(x->asleep, kept);
}

/* The tuple of the state at rest, in x->tuple; its length. */
static size_t make_tuple(Search *x) {
    size_t length = state_tuple_length(x->state);
    vec_resize(x->tuple, length);
    state_to_tuple(x->context->machine, x->state, store_components(x->store), x->tuple);
    if (!counts(x)) return length;
    vec_push(x->tuple, x->runner);
    vec_push(x->tuple, x->switches);
    return length + 2;
}

static void push_frame(Search *x, uint32_t handle, Threads todo, bool reduced, bool asleep_moves) {
    Frame f = {.handle = handle, .todo = todo, .reduced = reduced, .over = x->over,
               .decisions = vec_len(x->decisions), .sleepers = vec_len(x->sleepers)};
    Record *r = store_record(x->store, handle);
    f.holds_bit = !r->on_stack;
    r->on_stack = 1;
    f.set = todo;
    f.runner = x->runner;
    f.switches = x->switches;
    f.everyone = all_threads(x);
    f.atomic = state_atomic_thread(x->context->machine, x->state) != 0;
    for (size_t i = 0; i < vec_len(x->asleep); i++) {
        vec_push(x->sleepers, x->asleep[i]);
        if (asleep_moves && threads_have(&todo, x->asleep[i].thread)) f.moved = true;
    }
    vec_push(x->frames, f);
}

static void pop_frame(Search *x) {
    Frame f = vec_pop(x->frames);
    vec_resize(x->decisions, f.decisions);
    vec_resize(x->sleepers, f.sleepers);
    if (f.holds_bit) store_record(x->store, f.handle)->on_stack = 0;
}

/* The last state on the stack where no thread is in an atomic section has to be expanded in full: because a cycle was
   closed, or because the section that was entered there may never end, so that others might wait for ever. (In a
   section others cannot move: expanding a state inside it would not help.) */
static void demand_expansion(Search *x) {
    for (size_t i = vec_len(x->frames); i-- > 0;)
        if (!x->frames[i].atomic) {
            x->frames[i].closes_cycle = true;
            return;
        }
}

/* The run came to rest: go on from its state, unless that was done before. */
static void arrive(Search *x) {
    Stats *stats = x->context->task->stats;
    size_t length = make_tuple(x);
    if (x->symmetry) {
        unsigned to[MOST_SEARCHED + 1];
        symmetry_sort(x->symmetry, x->state, x->tuple, to);
        rename_threads(x, to);
    }
    bool fresh;
    uint32_t handle = store_add(x->store, x->tuple, length, &fresh), mask = sleep_mask(x);
    Record *r = store_record(x->store, handle);
    if (x->reduce && state_atomic_thread(x->context->machine, x->state)) demand_expansion(x);
    if (fresh) {
        r->sleep = mask & 0x7fffffff;
        bool reduced = x->reduce && x->set_known;
        if (reduced) stats->reduced++;
        push_frame(x, handle, reduced ? x->set : all_threads(x), reduced, true);
        vec_last(x->frames).fresh = true;
        return;
    }
    stats->revisits++;
    if (x->reduce && r->on_stack) demand_expansion(x);
    uint32_t awake = r->sleep & ~mask;
    if (!awake) return;
    r->sleep &= mask & 0x7fffffff;
    Threads todo = {{(uint64_t)awake << 1}};
    push_frame(x, handle, todo, false, false);
}

/* The active thread is done: from now on its step is explored, so it sleeps. */
static void finish_thread(Search *x, Frame *f) {
    if (f->thread_moved) {
        f->moved = true;
        f->runner_moves |= f->active == f->runner;
        Sleeper s = {f->active, f->touched};
        if (x->reduce && !f->nobody_sleeps && f->active <= SLEEP_BITS) vec_push(x->sleepers, s);
    }
    f->active = 0;
}

/* None of the set could move: explore the others too. Or a cycle was closed: explore all once more, with nobody asleep, for
   what a sleeper stands for might be put off around the cycle for ever. */
static bool widen(Search *x, Frame *f) {
    if (f->closes_cycle && !f->nobody_sleeps) {
        f->nobody_sleeps = true;
        f->reduced = false;
        f->todo = f->everyone;
        vec_resize(x->sleepers, f->sleepers);
        store_record(x->store, f->handle)->sleep = 0;
        return true;
    }
    if (!f->reduced || f->moved) return false;
    f->reduced = false;
    f->todo = f->everyone;
    for (unsigned i = 0; i < 4; i++) f->todo.bits[i] &= ~f->set.bits[i];
    return true;
}

static bool sleeps_here(const Search *x, const Frame *f, unsigned t) {
    for (size_t i = f->sleepers; i < vec_len(x->sleepers); i++)
        if (x->sleepers[i].thread == t) return true;
    return false;
}

/* Where switches are counted, the one that ran last comes first: it must be known whether it can go on. */
static unsigned take_next(const Search *x, Frame *f) {
    if (!counts(x) || !threads_have(&f->todo, f->runner)) return threads_take(&f->todo);
    threads_drop(&f->todo, f->runner);
    return f->runner;
}

static bool next_thread(Search *x, Frame *f) {
    do {
        for (unsigned t; (t = take_next(x, f));) {
            if (counts(x) && f->switches + is_switch(f, t) > x->most_switches) {
                x->cut = true;
                continue;
            }
            if (sleeps_here(x, f, t)) {
                x->context->task->stats->slept++;
                continue;
            }
            f->active = t;
            f->again = f->thread_moved = false;
            f->touched = (Footprint){0, 0};
            return true;
        }
    } while (widen(x, f));
    return false;
}

/* ---- from the initial state, and back to it ---- */

/* The first run: it starts at the initial state that the first decisions choose. */
static Moved run_initial(Search *x) {
    Chooser chooser = {choose, x};
    Footprint ignored = {0, 0};
    bool moved;
    x->cursor = x->run_start = 0;
    x->step = 0;
    x->over = false;
    x->from_section = false;
    x->runner = 1;
    x->switches = 0;
    vec_clear(x->asleep);
    vec_clear(x->chosen);
    if (x->state) state_free(x->context->machine, x->state);
    x->state = state_initial(x->context->machine, &chooser);
    if (x->recording)
        for (size_t i = 0; i < vec_len(x->chosen); i++) vec_push(x->recording->initial, x->chosen[i]);
    return run_on(x, 0, &ignored, &moved);
}

/* The state at rest was stored with threads sorted: who is who from there on. */
static void follow_names(Search *x, uint32_t handle) {
    unsigned to[MOST_SEARCHED + 1], real[MOST_SEARCHED + 1];
    make_tuple(x);
    symmetry_match(x->symmetry, x->state, x->tuple, store_record(x->store, handle)->tuple, to);
    for (unsigned t = 1; t <= state_threads(x->state); t++) real[to[t]] = x->real[t];
    for (unsigned t = 1; t <= state_threads(x->state); t++) x->real[t] = real[t];
}

/* Run every frame's decisions again, with the steps recorded. Sleep does not matter: none of these runs was cut by it. */
static void record_trace(Search *x) {
    Decision *all = x->decisions;
    size_t nframes = vec_len(x->frames);
    x->recording = x->context->trace = trace_new();
    for (unsigned t = 0; t <= MOST_SEARCHED; t++) x->real[t] = t;
    for (size_t i = 0; i <= nframes; i++) {
        size_t begin = i ? x->frames[i - 1].decisions : 0, end = i < nframes ? x->frames[i].decisions : vec_len(all);
        x->decisions = NULL;
        for (size_t k = begin; k < end; k++) vec_push(x->decisions, all[k]);
        if (i == 0) {
            run_initial(x);
        } else {
            Frame f = x->frames[i - 1];
            f.decisions = 0;
            f.sleepers = vec_len(x->sleepers);
            run(x, &f);
        }
        if (x->symmetry && i < nframes) follow_names(x, x->frames[i].handle);
        vec_free(x->decisions);
    }
    x->decisions = all;
    x->recording = NULL;
}

/* An error was met: is it one of the program? Then its trace is in the context. */
static bool is_error(Search *x) {
    bool over = x->over;
    record_trace(x);
    Trace *t = x->context->trace;
    if (!over) return true;
    x->context->trace = NULL;
    return context_doubt(x->context, t);
}

/* ---- the search ---- */

static bool out_of_budget(Search *x, SearchEnd *end) {
    Context *c = x->context;
    if (++x->ticks % 128) return false;
    uint64_t frames = vec_len(x->frames) * sizeof(Frame) + vec_len(x->decisions) * sizeof(Decision) +
                      vec_len(x->sleepers) * sizeof(Sleeper);
    if (frames * 2 > x->memory || store_is_full(x->store, x->memory - frames * 2)) {
        *end = SEARCH_MEMORY;
        return true;
    }
    if (x->max_states && store_states(x->store) > x->max_states) {
        *end = SEARCH_STATES;
        return true;
    }
    context_progress(c, "%.1f million states, depth %zu", (double)store_states(x->store) / 1e6, vec_len(x->frames));
    *end = SEARCH_TIME;
    if (c->task->glance && c->task->stats->judged) return true;
    return context_seconds(c) > x->until;
}

/* No thread could move. */
static void stuck(Search *x, const Frame *f) {
    restore(x, f);
    notice_stuck(x->context, x->state);
}

static SearchEnd explore(Search *x) {
    SearchEnd end;
    while (vec_len(x->frames)) {
        if (out_of_budget(x, &end)) return end;
        if (x->asymmetric) return SEARCH_ASYMMETRIC;
        Frame *f = &vec_last(x->frames);
        if (f->active && f->again && !next_decisions(x, f->decisions)) finish_thread(x, f);
        if (!f->active && !next_thread(x, f)) {
            if (f->fresh && !f->moved && !x->context->deadlock) stuck(x, f);
            pop_frame(x);
            continue;
        }
        f->again = true;
        Moved r = run(x, f);
        if (r == ERROR && is_error(x)) return SEARCH_FOUND;
        if (r == MOVED) arrive(x);
    }
    return x->asymmetric ? SEARCH_ASYMMETRIC : SEARCH_EXHAUSTED;
}

static SearchEnd go_on(Search *x) {
    for (;; x->begun = false) {
        if (!x->begun) {
            x->begun = true;
            Moved r = run_initial(x);
            if (r == ERROR && is_error(x)) return SEARCH_FOUND;
            if (r == MOVED) arrive(x);
        }
        SearchEnd end = explore(x);
        if (end != SEARCH_EXHAUSTED) return end;
        if (!next_decisions(x, 0)) return SEARCH_EXHAUSTED;
    }
}

Search *search_new(Context *c, bool reduce, Symmetry *symmetry, uint64_t memory) {
    Search *x = calloc(1, sizeof *x);
    if (!x) lack("out of memory");
    x->context = c;
    x->reduce = reduce;
    x->symmetry = symmetry;
    x->memory = memory;
    x->most_switches = ANY_SWITCHES;
    x->store = store_new();
    return x;
}

SearchEnd search_continue(Search *x, double until, uint64_t max_states) {
    x->until = until;
    x->max_states = max_states;
    if (x->symmetry) symmetry_use(x->symmetry, true);
    SearchEnd end = go_on(x);
    if (x->symmetry) symmetry_use(x->symmetry, false);
    return end;
}

void search_count_switches(Search *x, unsigned most) { x->most_switches = most; }
bool search_was_cut(const Search *x) { return x->cut; }
uint64_t search_states(const Search *x) { return store_states(x->store); }

void search_free(Search *x) {
    Stats *stats = x->context->task->stats;
    stats->states += store_states(x->store);
    stats->state_bytes += store_bytes(x->store);
    if (x->state) state_free(x->context->machine, x->state);
    store_free(x->store);
    vec_free(x->frames);
    vec_free(x->decisions);
    vec_free(x->sleepers);
    vec_free(x->asleep);
    vec_free(x->tuple);
    vec_free(x->chosen);
    free(x);
}
