/* SPDX-License-Identifier: Apache-2.0 */
/* Errors that cannot be, by simple invariants, go.

   requires  a system
   ensures   the same errors are reachable
   breaks    transitions are numbered anew

   The invariants are those of analysis/intervals.h and analysis/sum_bounds.h: a fact for each thread's location, about variables that no other thread
   changes then, and of each queue that its elements lie between two numbers. If some error is impossible by them, they are verified: every
   transition keeps them. That of a queue speaks of all its elements: it is shown for an index of any value, from the same of that index before. What is
   verified is true in every state that can be reached, by induction over the steps; a fact about a thread's own variables, since nobody else writes
   them, but the creator before that: it keeps what is claimed of the entry. Initial values have it, by how it is made. */
#include "passes/system/system_passes.h"
#include "analysis/sum_bounds.h"
#include "passes/system/tidy.h"
#include "system/compose.h"

enum { MOST_DROPPED = 4 };

typedef struct Exclude {
    System *system;
    Smt *smt;
    Spans *spans;
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

/* ---- what is claimed ---- */

typedef struct Mentioned {
    const System *system;
    bool *set; /* by variable */
} Mentioned;

static void note(void *context, const Symbol *symbol) {
    Mentioned *m = context;
    unsigned v = system_variable(m->system, symbol);
    if (v != NONE) m->set[v] = true;
}

/* Bounds of the sums that errors ask about. */
static SumBound *sums_of(const Exclude *e, unsigned thread) {
    const SystemThread *t = &e->system->threads[thread];
    Mentioned m = {e->system, NULL};
    SumBound *all = NULL;
    vec_resize(m.set, vec_len(e->system->variables));
    for (size_t i = 0; i < vec_len(t->transitions) && !t->many; i++)
        if (is_bad(t, &t->transitions[i])) expr_symbols(t->transitions[i].guard, note, &m);
    for (unsigned v = 0; v < vec_len(m.set); v++) {
        SumBound *list = m.set[v] ? sum_bounds(e->spans, e->system, thread, v) : NULL;
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
    return expr_and(e->system->exprs, spans_fact(e->spans, thread, location), sum_facts(e, thread, location));
}

/* What is known when the transition is taken. */
static const Expr *premise(const Exclude *e, unsigned thread, const Transition *x) {
    Exprs *p = e->system->exprs;
    const Expr *all = expr_and(p, x->guard, expr_and(p, fact(e, thread, x->source), spans_fronts(e->spans)));
    return expr_and(p, tidy_types(e->system, x->guard), all);
}

static void claim(Exclude *e) {
    for (size_t t = 0; t < vec_len(e->sums); t++) sum_bounds_free(e->sums[t]);
    vec_free(e->sums);
    for (unsigned t = 0; t < vec_len(e->system->threads); t++) vec_push(e->sums, sums_of(e, t));
}

/* ---- whether it is true ---- */

static bool is_kept(const Exclude *e, const Expr *before, const Transition *x, const Expr *after) {
    Exprs *p = e->system->exprs;
    const Expr *then = transition_after(e->system, x, after);
    return expr_is_true(then) || smt_proves(e->smt, p, expr_implies(p, before, then));
}

/* The locations' facts. Those of sums that are not kept are forgotten, and it has to be done again. */
static bool keep_facts(Exclude *e, unsigned thread, bool *again) {
    const SystemThread *t = &e->system->threads[thread];
    for (size_t i = 0; i < vec_len(t->transitions) && !t->many; i++) {
        const Transition *x = &t->transitions[i];
        const Expr *before = premise(e, thread, x);
        if (is_bad(t, x)) continue;
        if (!is_kept(e, before, x, spans_fact(e->spans, thread, x->target))) return false;
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

/* What is claimed of a thread's entry, its creator does not change. */
static bool keep_entries(const Exclude *e) {
    const System *s = e->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned creator = writers_creator(s, t);
        const Expr *entry = spans_fact(e->spans, t, s->threads[t].entry);
        for (size_t i = 0; creator != NONE && !s->threads[t].many && i < vec_len(s->threads[creator].transitions); i++) {
            const Transition *x = &s->threads[creator].transitions[i];
            if (transition_after(s, x, entry) == entry) continue;
            if (!is_kept(e, expr_and(s->exprs, premise(e, creator, x), entry), x, entry)) return false;
        }
    }
    return true;
}

/* Nothing lies in it at first. */
static bool begins_empty(const System *s, const Queue *q) {
    const Expr *front = s->variables[q->front].init, *back = s->variables[q->back].init;
    return front && back && (i128)back->value <= (i128)front->value;
}

static bool keeps_queue(const Exclude *e, const Queue *q, unsigned thread, const Transition *x) {
    const System *s = e->system;
    const Expr *element = spans_element(e->spans, q, expr_symbol(s->exprs, e->index));
    if (!transition_update(x, q->array) && !transition_update(x, q->front) && !transition_update(x, q->back)) return true;
    return is_kept(e, expr_and(s->exprs, premise(e, thread, x), element), x, element);
}

/* A queue of which it is not true; NONE: it is of all. */
static unsigned wrong_queue(const Exclude *e) {
    const System *s = e->system;
    const Queue *list = spans_queues(e->spans);
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

/* ---- what is impossible ---- */

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

/* A queue that is none spoils the others: without it, once more. */
static bool settle_queues(Exclude *e) {
    for (unsigned i = 0; i < MOST_DROPPED; i++) {
        claim(e);
        unsigned wrong = wrong_queue(e);
        if (wrong == NONE) return true;
        spans_drop(e->spans, wrong);
    }
    return false;
}

void exclude_errors(System *s, Smt *smt) {
    Exclude e = {.system = s, .smt = smt};
    bool some = false;
    for (size_t t = 0; t < vec_len(s->threads); t++) some |= has_errors(&s->threads[t]);
    e.spans = some ? spans_new(s) : NULL;
    if (!e.spans) return;
    e.index = symbol_new(s->exprs, SYM_VARIABLE, "index", sort_int(s->exprs));
    claim(&e);
    /* What is said of queues was shown with sums that may be forgotten since: it is shown once more. */
    if (count_impossible(&e) && settle_queues(&e) && verify(&e) && wrong_queue(&e) == NONE)
        for (unsigned t = 0; t < vec_len(s->threads); t++)
            if (!s->threads[t].many) drop_impossible(&e, t);
    for (size_t t = 0; t < vec_len(e.sums); t++) sum_bounds_free(e.sums[t]);
    vec_free(e.sums);
    spans_free(e.spans);
}
