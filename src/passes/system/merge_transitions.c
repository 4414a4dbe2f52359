/* SPDX-License-Identifier: Apache-2.0 */
/* Composes transitions into few large ones.

   requires  a system with a transition for each action
   ensures   the same errors are reachable
   breaks    locations and transitions are numbered anew

   The method is large-block encoding (Beyer, Cimatti, Griggio, Keremoglu and Sebastiani 2009) for threads. The removal of a location
   composes every transition into it with every transition out of it. A location is removed if no other thread needs to run while a thread
   is at the location. There are three cases:

   - The location is atomic: no other thread moves.
   - No thread that may run at the location affects or observes the transitions into it. Such a transition can be delayed until the
     thread continues. If the thread never continues, the transition need not be taken. The transition must not start at an atomic
     location, since its delay would make other threads wait.
   - No thread that may run at the location affects or observes the transitions out of it, and one of them is always enabled. Such a
     transition can be taken immediately. The transition must not lead to an atomic location, since other threads would have to wait there.

   Heads of loops stay. Two transitions between the same locations become one where compose.h can express the choice well. The files
   split_location.c, fill_loops.c and known_conditions.c simplify the system further. */
#include "passes/system/system_passes.h"
#include "system/compose.h"
#include "passes/system/known_conditions.h"
#include "analysis/interference.h"
#include "passes/system/tidy.h"

enum { LIMIT = 24 };
enum { MOST_WORK = 4000000, LOOK_EVERY = 16 }; /* in units of smt_work: some seconds of the solver */

typedef struct Merger {
    System *system;
    Smt *smt;
    Interference *seen;
    bool *constant;           /* by variable: the result of system_constants. NULL if parallel transitions are not joined */
    unsigned **fine_location; /* by thread and location: the location in the fine system */
    unsigned thread;          /* the thread at hand */
    uint64_t most_work;       /* the bound of smt_work after which the solver is no longer called */
    unsigned asked;           /* the number of calls of may_ask */
    bool enough;
} Merger;

static SystemThread *thread_of(Merger *f) { return &f->system->threads[f->thread]; }

/* True if the solver may still be called. The bound counts the solver's work instead of time, so that the result does not depend on how
   busy the machine is. */
static bool may_ask(Merger *f) {
    if (++f->asked % LOOK_EVERY == 0 && !f->enough) f->enough = smt_work(f->smt) > f->most_work;
    return !f->enough;
}

/* True if another thread that may run while this thread is at l affects or observes the transition. */
static bool is_seen(const Merger *f, unsigned l, const Transition *tr) {
    return interference_with_transition(f->seen, f->system, f->thread, f->fine_location[f->thread][l], tr);
}

/* Records that the thread's new location, its last, is where the old one was. */
static void note_location(Merger *f, unsigned old) { vec_push(f->fine_location[f->thread], f->fine_location[f->thread][old]); }

/* ---- when a location can be removed ---- */

static bool may_delay_entering(Merger *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    vec_each_at(const Transition, x, t->transitions)
        if (x->target == l && (t->locations[x->source].atomic || is_seen(f, l, x))) return false;
    return true;
}

/* Returns the guard without bounds of inputs that some value always meets, or false (the formula) if the guard has other conditions on
   inputs. */
static const Expr *condition(const System *s, const Transition *tr) {
    Transition copy = *tr;
    const Expr **guard = conjuncts(tr->guard);
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(guard); i++) {
        bool about_input = false;
        for (size_t k = 0; k < vec_len(tr->inputs); k++) about_input |= expr_mentions(guard[i], tr->inputs[k]);
        if (!about_input) e = expr_and(s->exprs, e, guard[i]);
    }
    copy.updates = NULL;
    copy.inputs = NULL;
    copy.actions = NULL;
    for (size_t k = 0; k < vec_len(tr->inputs); k++) vec_push(copy.inputs, tr->inputs[k]);
    tidy_inputs(s, &copy);
    if (vec_len(copy.inputs)) e = expr_bool(s->exprs, false);
    vec_free(copy.inputs);
    vec_free(guard);
    return e;
}

/* True if some transition out of l is enabled in every state. */
static bool is_never_stuck(Merger *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    const System *s = f->system;
    const Expr *some = expr_bool(s->exprs, false);
    for (size_t i = 0; i < vec_len(t->locations[l].out); i++)
        some = expr_or(s->exprs, some, condition(s, &t->transitions[t->locations[l].out[i]]));
    if (expr_is_true(some)) return true;
    if (expr_is_false(some) || !may_ask(f)) return false;
    return smt_proves(f->smt, s->exprs, expr_implies(s->exprs, tidy_types(s, some), some));
}

static bool may_leave_immediately(Merger *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    vec_each_of(const Transition, y, t->transitions, t->locations[l].out)
        if (t->locations[y->target].atomic || is_seen(f, l, y)) return false;
    return is_never_stuck(f, l);
}

static bool is_on_cycle(const SystemThread *t, unsigned l) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, l);
    while (vec_len(work) && !found) {
        const unsigned *out = t->locations[vec_pop(work)].out;
        for (size_t i = 0; i < vec_len(out); i++) {
            unsigned target = t->transitions[out[i]].target;
            found |= target == l;
            if (!seen[target]) vec_push(work, target);
            seen[target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

static bool may_take_out(Merger *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    const SystemLocation *at = &t->locations[l];
    if (at->kind != LOCATION_PLAIN || l == t->entry || !vec_len(at->out)) return false;
    if (at->atomic) return true;
    if (at->loop_head && is_on_cycle(t, l)) return false;
    return may_delay_entering(f, l) || may_leave_immediately(f, l);
}

/* ---- the removal of a location ---- */

/* True if the removal of l needs at most `limit` compositions, transition_composes allows each, and l has no loop to itself. At an atomic
   location, compositions may lose notes for analyses. */
static bool composes(Merger *f, unsigned l, size_t limit) {
    const SystemThread *t = thread_of(f);
    size_t in = 0, out = vec_len(t->locations[l].out);
    vec_each_at(const Transition, x, t->transitions) {
        if (x->target != l) continue;
        if (x->source == l) return false;
        in++;
        for (size_t k = 0; k < out && !t->locations[l].atomic; k++)
            if (!transition_composes(x, &t->transitions[t->locations[l].out[k]])) return false;
    }
    return in && in * out <= limit;
}

static bool is_possible(Merger *f, const Transition *tr) {
    const System *s = f->system;
    if (expr_is_false(tr->guard)) return false;
    if (!f->constant || expr_is_true(tr->guard) || !may_ask(f)) return true;
    return smt_try(f->smt, expr_and(s->exprs, tidy_types(s, tr->guard), tr->guard)) != SMT_UNSAT;
}

/* Adds a transition to *all. If *all has a transition between the same locations and one transition can express both, they are joined. */
static void add(Merger *f, Transition **all, Transition tr) {
    unsigned l = tr.source;
    for (size_t i = 0; i < vec_len(*all); i++) {
        Transition *other = &(*all)[i], one;
        if (!f->constant || other->source != tr.source || other->target != tr.target || is_seen(f, l, other) != is_seen(f, l, &tr))
            continue;
        if (!transition_either(f->system, f->constant, other, &tr, &one)) continue;
        transition_free(other);
        transition_free(&tr);
        *other = vec_last(*all);
        (void)vec_pop(*all);
        add(f, all, one);
        return;
    }
    vec_push(*all, tr);
}

static void take_out(Merger *f, unsigned l) {
    SystemThread *t = thread_of(f);
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source != l && t->transitions[i].target != l) vec_push(all, t->transitions[i]);
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        for (size_t k = 0; k < vec_len(t->locations[l].out) && t->transitions[i].target == l; k++) {
            Transition both = transition_then(f->system, &t->transitions[i], &t->transitions[t->locations[l].out[k]]);
            if (is_possible(f, &both)) add(f, &all, both);
            else transition_free(&both);
        }
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source == l || t->transitions[i].target == l) transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
}

/* ---- other simplifications ---- */

static void drop_impossible(Merger *f) {
    SystemThread *t = thread_of(f);
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (is_possible(f, &t->transitions[i])) vec_push(all, t->transitions[i]);
        else transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
}

static void split_locations(Merger *f) {
    bool any = false;
    for (unsigned l = 0, n = (unsigned)vec_len(thread_of(f)->locations); l < n; l++)
        if (split_location(f->system, thread_of(f), l)) note_location(f, l), any = true;
    if (any) drop_impossible(f);
}

/* Simplifies the transitions from l to l. Returns false if other threads affect or observe them. */
static bool prepare_rounds(Merger *f, unsigned l) {
    SystemThread *t = thread_of(f);
    bool unseen = true;
    vec_each_at(Transition, x, t->transitions) {
        if (x->source != l || x->target != l) continue;
        if (may_ask(f)) tidy_transition(f->system, f->smt, expr_bool(f->system->exprs, true), x);
        unseen &= !is_seen(f, l, x);
    }
    return unseen;
}

static void take_out_fills(Merger *f) {
    for (unsigned l = 0, n = (unsigned)vec_len(thread_of(f)->locations); l < n; l++)
        if (prepare_rounds(f, l) && fill_loop(f->system, thread_of(f), l)) note_location(f, l);
}

/* ---- a thread ---- */

/* Lets each thread end by a transition of its own, since other threads may observe the thread's last action and its end at different times. */
static void split_ends(Merger *f) {
    SystemThread *t = thread_of(f);
    for (size_t i = 0, n = vec_len(t->transitions); i < n; i++) {
        Transition *x = &t->transitions[i];
        const Expr *ended = t->status == NONE ? NULL : transition_update(x, t->status);
        if (!ended || t->locations[x->target].kind != LOCATION_END || t->locations[x->source].atomic || x->creates != NONE) continue;
        SystemLocation last = {.kind = LOCATION_PLAIN, .position = x->position};
        Transition end = {.source = (unsigned)vec_len(t->locations),
                          .target = x->target,
                          .guard = expr_bool(f->system->exprs, true),
                          .position = x->position,
                          .creates = NONE,
                          .joins = NONE,
                          .lock = NONE,
                          .unlock = NONE};
        vec_push(end.updates, ((Update){t->status, ended}));
        for (size_t u = 0; u < vec_len(x->updates); u++)
            if (x->updates[u].variable == t->status) x->updates[u] = vec_last(x->updates), (void)vec_pop(x->updates);
        note_location(f, x->source);
        x->target = end.source;
        vec_push(t->locations, last);
        vec_push(t->transitions, end);
    }
    thread_relink(t);
}

/* Joins transitions between the same locations: branches of the program without actions. */
static void join_parallel(Merger *f) {
    SystemThread *t = thread_of(f);
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++) add(f, &all, t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
}

static bool only_ends(const SystemThread *t, unsigned l) {
    const unsigned *out = t->locations[l].out;
    return vec_len(out) == 1 && t->locations[t->transitions[out[0]].target].kind == LOCATION_END &&
           !vec_len(t->transitions[out[0]].actions);
}

/* Removes locations, those with the fewest compositions first. So the branches of an `if` become one transition before the code behind them
   is composed. atomic: only atomic locations. ends: also locations before the end of the thread. */
static void take_out_all(Merger *f, bool atomic, bool ends) {
    const SystemThread *t = thread_of(f);
    for (size_t limit = 1; limit <= LIMIT; limit++)
        for (unsigned l = 0; l < vec_len(t->locations); l++)
            if (t->locations[l].atomic >= atomic && (ends || !only_ends(t, l)) && composes(f, l, limit) && may_take_out(f, l)) {
                take_out(f, l);
                limit = 1;
            }
}

static void merge_thread(Merger *f) {
    split_ends(f);
    join_parallel(f);
    take_out_all(f, true, false);
    split_locations(f);
    take_out_all(f, false, false);
    take_out_fills(f);
    take_out_all(f, false, false);
    take_out_all(f, false, true);
}

/* ---- all ---- */

static void tidy_in_context(Merger *f, const Expr *const *known) {
    SystemThread *t = thread_of(f);
    for (size_t i = 0; i < vec_len(t->transitions) && may_ask(f); i++)
        tidy_transition(f->system, f->smt, known[t->transitions[i].source], &t->transitions[i]);
    drop_impossible(f);
}

static bool is_second(const System *s, unsigned t) { return system_first_instance(s, t) != t; }

static Merger merger_new(System *fine, Smt *smt) {
    Merger f = {.system = system_copy(fine), .smt = smt, .seen = interference_new(fine), .most_work = smt_work(smt) + MOST_WORK};
    f.system->fine = fine;
    for (size_t t = 0; t < vec_len(fine->threads); t++) {
        unsigned *same = NULL;
        for (unsigned l = 0; l < vec_len(fine->threads[t].locations); l++) vec_push(same, l);
        vec_push(f.fine_location, same);
    }
    return f;
}

static System *merger_result(Merger *f) {
    vec_free_rows(f->fine_location);
    vec_free(f->constant);
    interference_free(f->seen);
    return f->system;
}

System *merge_transitions(System *fine, Smt *smt) {
    ensure(fine && !fine->fine && smt);
    Merger f = merger_new(fine, smt);
    System *s = f.system;
    tidy_updates(s);
    f.constant = system_constants(s);
    for (f.thread = 0; f.thread < vec_len(s->threads); f.thread++)
        if (!is_second(s, f.thread)) merge_thread(&f);
    KnownConditions known = known_conditions_new(s, f.seen, f.fine_location);
    for (f.thread = 0; f.thread < vec_len(s->threads); f.thread++) {
        if (is_second(s, f.thread)) continue;
        const Expr **conditions = known_conditions(&known, f.thread);
        tidy_in_context(&f, conditions);
        vec_free(conditions);
    }
    known_conditions_free(&known);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (is_second(s, t)) mirror_instance(s, s->threads[t].other_instance, t);
    tidy_updates(s);
    for (size_t t = 0; t < vec_len(s->threads); t++) tidy_locations(&s->threads[t]);
    return merger_result(&f);
}

System *merge_sections(System *fine, Smt *smt) {
    ensure(fine && !fine->fine && smt);
    Merger f = merger_new(fine, smt);
    for (f.thread = 0; f.thread < vec_len(f.system->threads); f.thread++) take_out_all(&f, true, true);
    return merger_result(&f);
}
