/* SPDX-License-Identifier: Apache-2.0 */
/* Removes transitions to error locations that simple invariants make impossible.

   requires  a system
   ensures   the same errors are reachable
   breaks    transitions are numbered anew

   The invariants are those of analysis/intervals.h and analysis/sum_bounds.h. A fact for each location of a thread concerns variables that
   no other thread writes before the thread leaves the location. The invariant of a queue bounds each of its elements.

   Before an error is removed, the solver verifies that every transition keeps them. For a queue, it verifies the bounds of the element at
   an arbitrary index, assuming the bounds of this element before. Verified invariants hold in every reachable state, by induction over the
   steps. The facts of a thread concern variables that this thread owns. Only its creator may write them earlier, and it keeps the fact of
   the entry. The initial values satisfy the facts by construction. */
#include "passes/system/system_passes.h"
#include "analysis/sum_bounds.h"
#include "passes/system/tidy.h"
#include "system/compose.h"

enum { MOST_DROPPED = 4 };

typedef struct Exclude {
    System *system;
    Smt *smt;
    Intervals *intervals;
    SumBound **sums; /* by thread: a vec of vecs */
    const Symbol *index;
} Exclude;

static bool is_bad(const SystemThread *t, const Transition *x) {
    return t->locations[x->target].kind == LOCATION_ERROR || t->locations[x->target].kind == LOCATION_STOP;
}

static bool has_errors(const SystemThread *t) {
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (is_bad(t, &t->transitions[i])) return true;
    return false;
}

/* ---- the claims ---- */

typedef struct Mentioned {
    const System *system;
    bool *set; /* by variable */
} Mentioned;

static void mark_variable(void *context, const Symbol *symbol) {
    Mentioned *m = context;
    unsigned v = system_variable(m->system, symbol);
    if (v != NONE) m->set[v] = true;
}

/* Returns the bounds of the variables that the guards of the thread's errors mention, as a vec. */
static SumBound *sums_of(const Exclude *e, unsigned thread) {
    const SystemThread *t = &e->system->threads[thread];
    Mentioned m = {e->system, NULL};
    SumBound *all = NULL;
    vec_resize(m.set, vec_len(e->system->variables));
    for (size_t i = 0; i < vec_len(t->transitions) && !t->many; i++)
        if (is_bad(t, &t->transitions[i])) expr_symbols(t->transitions[i].guard, mark_variable, &m);
    for (unsigned v = 0; v < vec_len(m.set); v++) {
        SumBound *list = m.set[v] ? sum_bounds(e->intervals, e->system, thread, v) : NULL;
        for (size_t i = 0; i < vec_len(list); i++) vec_push(all, list[i]);
        vec_free(list);
    }
    vec_free(m.set);
    return all;
}

static const Expr *sum_facts(const Exclude *e, unsigned thread, unsigned location) {
    const Expr *all = expr_bool(e->system->exprs, true);
    for (size_t i = 0; i < vec_len(e->sums[thread]); i++) all = expr_and(e->system->exprs, all, e->sums[thread][i].facts[location]);
    return all;
}

static const Expr *fact(const Exclude *e, unsigned thread, unsigned location) {
    return expr_and(e->system->exprs, intervals_fact(e->intervals, thread, location), sum_facts(e, thread, location));
}

/* Returns all that may be assumed when the transition is taken: its guard, the facts of its source, the queues and the types. */
static const Expr *premise(const Exclude *e, unsigned thread, const Transition *x) {
    Exprs *p = e->system->exprs;
    const Expr *all = expr_and(p, x->guard, expr_and(p, fact(e, thread, x->source), intervals_fronts(e->intervals)));
    return expr_and(p, tidy_types(e->system, x->guard), all);
}

static void claim(Exclude *e) {
    for (size_t t = 0; t < vec_len(e->sums); t++) sum_bounds_free(e->sums[t]);
    vec_free(e->sums);
    for (unsigned t = 0; t < vec_len(e->system->threads); t++) vec_push(e->sums, sums_of(e, t));
}

/* ---- verification of the claims ---- */

static bool is_kept(const Exclude *e, const Expr *before, const Transition *x, const Expr *after) {
    Exprs *p = e->system->exprs;
    const Expr *then = transition_after(e->system, x, after);
    return expr_is_true(then) || smt_proves(e->smt, p, expr_implies(p, before, then));
}

/* Checks that the thread's transitions keep the facts of its locations. A bound of a sum that some transition does not keep is dropped.
   Then *again is set, since other bounds may have depended on it. */
static bool keep_facts(Exclude *e, unsigned thread, bool *again) {
    const SystemThread *t = &e->system->threads[thread];
    for (size_t i = 0; i < vec_len(t->transitions) && !t->many; i++) {
        const Transition *x = &t->transitions[i];
        const Expr *before = premise(e, thread, x);
        if (is_bad(t, x)) continue;
        if (!is_kept(e, before, x, intervals_fact(e->intervals, thread, x->target))) return false;
        for (size_t k = vec_len(e->sums[thread]); k-- > 0;) {
            SumBound *bound = &e->sums[thread][k];
            if (is_kept(e, before, x, bound->facts[x->target])) continue;
            vec_free(bound->facts);
            *bound = vec_last(e->sums[thread]);
            (void)vec_pop(e->sums[thread]);
            *again = true;
        }
    }
    return true;
}

/* Checks that a thread's creator keeps the fact of the thread's entry, since this fact also holds before the creation. */
static bool keep_entries(const Exclude *e) {
    const System *s = e->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned creator = writers_creator(s, t);
        const Expr *entry = intervals_fact(e->intervals, t, s->threads[t].entry);
        for (size_t i = 0; creator != NONE && !s->threads[t].many && i < vec_len(s->threads[creator].transitions); i++) {
            const Transition *x = &s->threads[creator].transitions[i];
            if (transition_after(s, x, entry) == entry) continue;
            if (!is_kept(e, expr_and(s->exprs, premise(e, creator, x), entry), x, entry)) return false;
        }
    }
    return true;
}

/* True if the queue is empty at the start. */
static bool begins_empty(const System *s, const Queue *q) {
    const Expr *front = s->variables[q->front].init, *back = s->variables[q->back].init;
    return front && back && (i128)back->value <= (i128)front->value;
}

static bool keeps_queue(const Exclude *e, const Queue *q, unsigned thread, const Transition *x) {
    const System *s = e->system;
    const Expr *element = intervals_element(e->intervals, q, expr_symbol(s->exprs, e->index));
    if (!transition_update(x, q->array) && !transition_update(x, q->front) && !transition_update(x, q->back)) return true;
    return is_kept(e, expr_and(s->exprs, premise(e, thread, x), element), x, element);
}

/* Returns the index of a queue whose bounds are not verified, or NONE. */
static unsigned wrong_queue(const Exclude *e) {
    const System *s = e->system;
    const Queue *list = intervals_queues(e->intervals);
    for (unsigned i = 0; i < vec_len(list); i++) {
        if (list[i].open) continue;
        if (!begins_empty(s, &list[i])) return i;
        for (unsigned t = 0; t < vec_len(s->threads); t++)
            for (size_t k = 0; k < vec_len(s->threads[t].transitions); k++)
                if (!keeps_queue(e, &list[i], t, &s->threads[t].transitions[k])) return i;
    }
    return NONE;
}

static bool verify(Exclude *e) {
    bool again = true;
    for (unsigned round = 0; again && round < MOST_DROPPED; round++) {
        again = false;
        for (unsigned t = 0; t < vec_len(e->system->threads); t++)
            if (!keep_facts(e, t, &again)) return false;
    }
    return !again && keep_entries(e);
}

/* ---- impossible errors ---- */

static bool is_impossible(const Exclude *e, unsigned thread, const Transition *x) {
    return smt_try(e->smt, premise(e, thread, x)) == SMT_UNSAT;
}

static size_t count_impossible(const Exclude *e) {
    size_t n = 0;
    for (unsigned t = 0; t < vec_len(e->system->threads); t++) {
        const SystemThread *thread = &e->system->threads[t];
        for (size_t i = 0; i < vec_len(thread->transitions) && !thread->many; i++)
            n += is_bad(thread, &thread->transitions[i]) && is_impossible(e, t, &thread->transitions[i]);
    }
    return n;
}

static void drop_impossible(const Exclude *e, unsigned thread) {
    SystemThread *t = &e->system->threads[thread];
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (!is_bad(t, &t->transitions[i]) || !is_impossible(e, thread, &t->transitions[i])) vec_push(all, t->transitions[i]);
        else transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
    tidy_locations(t);
}

/* Drops the queues whose bounds do not hold, and claims everything anew after each, since other claims may have depended on it. */
static bool settle_queues(Exclude *e) {
    for (unsigned i = 0; i < MOST_DROPPED; i++) {
        claim(e);
        unsigned wrong = wrong_queue(e);
        if (wrong == NONE) return true;
        intervals_drop(e->intervals, wrong);
    }
    return false;
}

void exclude_errors(System *s, Smt *smt) {
    Exclude e = {.system = s, .smt = smt};
    bool some = false;
    for (size_t t = 0; t < vec_len(s->threads); t++) some |= has_errors(&s->threads[t]);
    e.intervals = some ? intervals_new(s) : NULL;
    if (!e.intervals) return;
    e.index = symbol_new(s->exprs, SYM_VARIABLE, "index", sort_int(s->exprs));
    claim(&e);
    /* The bounds of queues were verified with bounds of sums that `verify` may have dropped, so they are verified again. */
    if (count_impossible(&e) && settle_queues(&e) && verify(&e) && wrong_queue(&e) == NONE)
        for (unsigned t = 0; t < vec_len(s->threads); t++)
            if (!s->threads[t].many) drop_impossible(&e, t);
    for (size_t t = 0; t < vec_len(e.sums); t++) sum_bounds_free(e.sums[t]);
    vec_free(e.sums);
    intervals_free(e.intervals);
}
