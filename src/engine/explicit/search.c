/* SPDX-License-Identifier: Apache-2.0 */
/* Searches the state space depth first. Runs (run.c) lead from a stored state to the next states, which are looked up in the store. Each state is
   stored once.

   The reduction has two parts:
   - persistent sets (reduce.c), with a cycle proviso: a state from which a reduced step leads to a state on the stack is expanded in full;
   - sleep sets with state caching (Godefroid, LNCS 1032, Chapter 5). A stored state records the threads that slept at every visit. If one of them
     is awake at a later visit, it is explored then.

   Invariant: a sleeping thread is able to move, and the states after its step have been or will be explored elsewhere. For a thread is put
   to sleep only if it could move, and it wakes when a conflicting step is taken. */
#include "engine/explicit/search.h"
#include <stdlib.h>

/* ---- sleep ---- */

enum { SLEEP_BITS = 31 };

static uint32_t sleep_mask(const Search *x) {
    uint32_t mask = 0;
    for (size_t i = 0; i < vec_len(x->asleep); i++) mask |= 1u << (x->asleep[i].thread - 1);
    return mask;
}

/* ---- frames ---- */

static Threads all_threads(const Search *x) {
    Threads all = {{0}};
    for (unsigned t = 1; t <= state_threads(x->state); t++) threads_put(&all, t);
    return all;
}

/* Renames threads in the persistent set and in the sleep set of the run's last state. */
static void rename_threads(Search *x, const unsigned *to) {
    Threads set = {{0}};
    size_t kept = 0;
    for (unsigned t = 1; t <= state_threads(x->state); t++)
        if (threads_have(&x->set, t)) threads_put(&set, to[t]);
    x->set = set;
    vec_each(Sleeper, s, x->asleep) {
        s.thread = to[s.thread];
        if (s.thread <= SLEEP_BITS) x->asleep[kept++] = s;
    }
    vec_resize(x->asleep, kept);
}

/* Writes the tuple of the run's last state to x->tuple and returns its length. If switches are counted, they are part of the tuple. */
static size_t make_tuple(Search *x) {
    size_t length = state_tuple_length(x->state);
    vec_resize(x->tuple, length);
    state_to_tuple(x->context->machine, x->state, store_components(x->store), x->tuple);
    if (!search_counts(x)) return length;
    vec_push(x->tuple, x->runner);
    vec_push(x->tuple, x->switches);
    return length + 2;
}

static void push_frame(Search *x, uint32_t handle, Threads todo, bool reduced, bool asleep_moves) {
    Frame f = {.handle = handle,
               .todo = todo,
               .reduced = reduced,
               .over = x->over,
               .decisions = vec_len(x->decisions),
               .sleepers = vec_len(x->sleepers)};
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

/* Marks the last state on the stack that is outside of atomic sections for expansion in full. There are two reasons: a cycle was closed, or the
   section that was entered there may never end, so that other threads would wait for ever. Inside a section, other threads cannot move, so it would
   not help to expand a state there. */
static void demand_expansion(Search *x) {
    for (size_t i = vec_len(x->frames); i-- > 0;)
        if (!x->frames[i].atomic) {
            x->frames[i].closes_cycle = true;
            return;
        }
}

/* Looks up the run's last state. Pushes a frame for it if it is new, or if threads are awake there that slept at all visits so far. */
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

/* Completes the active thread. All its next steps are explored, so it sleeps in the rest of this frame. */
static void finish_thread(Search *x, Frame *f) {
    if (f->thread_moved) {
        f->moved = true;
        f->runner_moves |= f->active == f->runner;
        Sleeper s = {f->active, f->touched};
        if (x->reduce && !f->nobody_sleeps && f->active <= SLEEP_BITS) vec_push(x->sleepers, s);
    }
    f->active = 0;
}

/* Adds threads to explore. If no thread of the set could move, the other threads are added. If a cycle was closed, all threads are explored once
   more, without sleep: around the cycle, the step of a sleeping thread might be postponed for ever. Returns false if nothing is added. */
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

/* Takes the next thread to explore. If switches are counted, the thread that ran last comes first: leaving it is a switch if it can continue. */
static unsigned take_next(const Search *x, Frame *f) {
    if (!search_counts(x) || !threads_have(&f->todo, f->runner)) return threads_take(&f->todo);
    threads_drop(&f->todo, f->runner);
    return f->runner;
}

static bool next_thread(Search *x, Frame *f) {
    do {
        for (unsigned t; (t = take_next(x, f));) {
            if (search_counts(x) && f->switches + search_is_switch(f, t) > x->most_switches) {
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

/* ---- the initial state, and traces from it ---- */

/* Performs the first run. It starts at the initial state that the first decisions choose. */
static Moved run_initial(Search *x) {
    Chooser chooser = {search_choose, x};
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
    if (x->recording) vec_append(x->recording->initial, x->chosen);
    return search_run_on(x, 0, &ignored, &moved);
}

/* Updates x->real: the run's last state was stored with sorted threads, so threads have other numbers in the next run. */
static void follow_names(Search *x, uint32_t handle) {
    unsigned to[MOST_SEARCHED + 1], real[MOST_SEARCHED + 1];
    make_tuple(x);
    symmetry_match(x->symmetry, x->state, x->tuple, store_record(x->store, handle)->tuple, to);
    for (unsigned t = 1; t <= state_threads(x->state); t++) real[to[t]] = x->real[t];
    for (unsigned t = 1; t <= state_threads(x->state); t++) x->real[t] = real[t];
}

/* Records the trace to the present state in the context. Repeats the run of every frame but the last; with last_run, also that of the last frame.
   Sleep sets are not needed: no run on the stack was pruned. */
static void record_trace(Search *x, bool last_run) {
    Decision *all = x->decisions;
    size_t nframes = vec_len(x->frames), end_runs = last_run ? nframes + 1 : nframes;
    x->recording = x->context->trace = trace_new();
    x->recording->end = x->end;
    for (unsigned t = 0; t <= MOST_SEARCHED; t++) x->real[t] = t;
    for (size_t i = 0; i < end_runs; i++) {
        size_t begin = i ? x->frames[i - 1].decisions : 0, end = i < nframes ? x->frames[i].decisions : vec_len(all);
        x->decisions = NULL;
        for (size_t k = begin; k < end; k++) vec_push(x->decisions, all[k]);
        if (i == 0) {
            run_initial(x);
        } else {
            Frame f = x->frames[i - 1];
            f.decisions = 0;
            f.sleepers = vec_len(x->sleepers);
            search_run(x, &f);
        }
        if (x->symmetry && i < nframes) follow_names(x, x->frames[i].handle);
        vec_free(x->decisions);
    }
    x->decisions = all;
    x->recording = NULL;
}

/* Returns true if the violation that was met is one of the program. Its trace is then in the context. */
static bool is_error(Search *x, bool in_last_run) {
    bool over = x->over;
    record_trace(x, in_last_run);
    Trace *t = x->context->trace;
    if (!over) return true;
    x->context->trace = NULL;
    return context_add_doubtful(x->context, t);
}

/* ---- the search ---- */

static bool out_of_budget(Search *x, SearchEnd *end) {
    Context *c = x->context;
    if (++x->ticks % 128) return false;
    uint64_t frames =
        vec_len(x->frames) * sizeof(Frame) + vec_len(x->decisions) * sizeof(Decision) + vec_len(x->sleepers) * sizeof(Sleeper);
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
    if (c->task->searches_assertion && c->task->stats->judged) return true;
    return context_seconds(c) > x->until;
}

/* Returns true if threads wait for ever in the frame's state and this is a violation. Its trace is then in the context. all: no thread of the state
   could move, except by ending the process. */
static bool waits_for_ever(Search *x, const Frame *f, bool all) {
    Context *c = x->context;
    search_restore(x, f);
    if (!c->deadlocks) {
        if (all && !c->deadlock) notice_deadlock(c, x->state);
        return false;
    }
    if (!context_is_deadlocked(c, x->state, all ? 0 : x->blocked)) return false;
    x->end = TRACE_DEADLOCK;
    x->over = f->over;
    return (!x->over || context_wants_doubtful(c)) && is_error(x, false);
}

static SearchEnd explore(Search *x) {
    SearchEnd end;
    while (vec_len(x->frames)) {
        if (out_of_budget(x, &end)) return end;
        if (x->asymmetric) return SEARCH_ASYMMETRIC;
        Frame *f = &vec_last(x->frames);
        if (f->active && f->again && !search_next_decisions(x, f->decisions)) finish_thread(x, f);
        if (!f->active && !next_thread(x, f)) {
            if (f->fresh && !f->moved && waits_for_ever(x, f, true)) return SEARCH_FOUND;
            pop_frame(x);
            continue;
        }
        f->again = true;
        x->blocked = 0;
        Moved r = search_run(x, f);
        if ((r == STUCK || r == DEAD) && x->blocked && waits_for_ever(x, f, false)) return SEARCH_FOUND;
        if (r == ERROR && is_error(x, true)) return SEARCH_FOUND;
        if (r == MOVED) arrive(x);
    }
    return x->asymmetric ? SEARCH_ASYMMETRIC : SEARCH_EXHAUSTED;
}

static SearchEnd go_on(Search *x) {
    for (;; x->begun = false) {
        if (!x->begun) {
            x->begun = true;
            Moved r = run_initial(x);
            if (r == ERROR && is_error(x, true)) return SEARCH_FOUND;
            if (r == MOVED) arrive(x);
        }
        SearchEnd end = explore(x);
        if (end != SEARCH_EXHAUSTED) return end;
        if (!search_next_decisions(x, 0)) return SEARCH_EXHAUSTED;
    }
}

Search *search_new(Context *c, bool reduce, Symmetry *symmetry, uint64_t memory) {
    Search *x = zeroed(1, sizeof *x);
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
