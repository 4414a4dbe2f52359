/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rules redsafety and reachenv; see doc/rules.md. A thread's invariant may mention all variables and the
   places of the other threads. A relation inside a block may mention globals and locals of its thread, at the start of the block and now.
   The number of threads is fixed. Facts are hypotheses, since they hold in every reachable state. */
#include "check/checker.h"
#include "check/messages.h"

/* ---- places of threads ---- */

typedef struct Places {
    const Checker *checker;
    const unsigned *locations; /* by thread; NONE: any location */
} Places;

static const Expr *place_image(void *context, const Expr *e) {
    const Places *p = context;
    const Checker *c = p->checker;
    for (unsigned t = 0; t < vec_len(c->proof->places); t++)
        if (c->proof->places[t] == e->symbol) return p->locations[t] == NONE ? NULL : expr_int(c->exprs, p->locations[t]);
    return NULL;
}

/* Returns the invariant of t at l while another thread u is at k. With k = NONE, u may be anywhere. */
static const Expr *invariant(const Checker *c, unsigned t, unsigned l, unsigned u, unsigned k) {
    unsigned *locations = NULL;
    for (unsigned i = 0; i < vec_len(c->system->threads); i++) vec_push(locations, i == t ? l : i == u ? k : NONE);
    Places p = {c, locations};
    const Expr *e = expr_substitute(c->exprs, c->proof->invariants[t][l], place_image, &p);
    vec_free(locations);
    return e;
}

/* ---- obligations ---- */

/* Returns the formula that thread u is at some location, and its invariant holds, while t is at l. */
static const Expr *somewhere(const Checker *c, unsigned u, unsigned t, unsigned l) {
    const Expr *e = expr_bool(c->exprs, false), *place = expr_symbol(c->exprs, c->proof->places[u]);
    for (unsigned k = 0; k < vec_len(c->system->threads[u].locations); k++)
        if (c->proof->out[u][k])
            e = expr_or(c->exprs, e,
                        expr_and(c->exprs, expr_eq(c->exprs, place, expr_int(c->exprs, k)),
                                 expr_and(c->exprs, checker_fact(c, u, k), invariant(c, u, k, t, l))));
    return e;
}

/* Checks S7: the invariants of all threads together exclude the error. */
static void check_error(Checker *c, unsigned t, unsigned l) {
    const Expr *e = expr_and(c->exprs, checker_fact(c, t, l), invariant(c, t, l, NONE, 0));
    checker_name(c, "error %s %u", c->system->threads[t].name, l);
    for (unsigned u = 0; u < vec_len(c->system->threads) && !expr_is_false(e); u++)
        if (u != t) e = expr_and(c->exprs, e, somewhere(c, u, t, l));
    checker_obligation(c, e, expr_bool(c->exprs, false));
}

/* Checks the run of a thread between Out locations: it keeps the invariants of all threads. Other threads are not at an error before. */
static void check_run(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    unsigned l = run->source, to = run->target;
    checker_name(c, "step %s %u to %u", s->threads[t].name, l, to);
    const Expr *mine = expr_and(c->exprs, checker_fact(c, t, l), run->guard);
    checker_obligation(c, expr_and(c->exprs, invariant(c, t, l, NONE, 0), mine), transition_after(s, run, invariant(c, t, to, NONE, 0)));
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned k = 0; k < vec_len(s->threads[u].locations) && u != t && c->ok; k++) {
            if (!c->proof->out[u][k] || checker_is_bad(c, u, k) || expr_is_true(c->proof->invariants[u][k])) continue;
            checker_name(c, "interfere %s %u by %s %u to %u", s->threads[u].name, k, s->threads[t].name, l, to);
            const Expr *both = expr_and(c->exprs, invariant(c, u, k, t, l), invariant(c, t, l, u, k));
            both = expr_and(c->exprs, both, expr_and(c->exprs, checker_fact(c, u, k), mine));
            checker_obligation(c, both, transition_after(s, run, invariant(c, u, k, t, to)));
        }
}

/* ---- the inside of blocks ---- */

/* Returns whether the thread may change the variable. */
static bool is_own(const Checker *c, unsigned t, unsigned v) {
    unsigned owner = c->system->variables[v].thread;
    return owner == NONE || owner == t;
}

/* A relation inside a block of the thread. values: by variable, its present value. */
typedef struct Relation {
    const Checker *checker;
    unsigned thread;
    const Expr *const *values;
    bool foreign;
} Relation;

static unsigned after_index(const Checker *c, const Symbol *symbol) {
    for (unsigned v = 0; v < vec_len(c->proof->after); v++)
        if (c->proof->after[v] == symbol) return v;
    return NONE;
}

static const Expr *present_image(void *context, const Expr *e) {
    const Relation *r = context;
    unsigned v = after_index(r->checker, e->symbol);
    return v == NONE ? NULL : r->values[v];
}

/* Returns the relation between the start of the block and the location, with these present values. Without a claim it is false. */
static const Expr *inside(const Checker *c, unsigned t, unsigned start, unsigned l, const Expr *const *values) {
    Relation r = {c, t, values, false};
    vec_each_at(const ProofInside, i, c->proof->insides) {
        if (i->thread == t && i->start == start && i->location == l) return expr_substitute(c->exprs, i->relation, present_image, &r);
    }
    return expr_bool(c->exprs, false);
}

/* Returns the run as one from the start of its block. The relation holds, and the run continues from the present values. before: by variable,
   the present value; NULL: the run begins at the start. */
static Transition from_start(const Checker *c, unsigned t, unsigned start, const Transition *run, const Expr *const *before) {
    const System *s = c->system;
    Transition whole = {.source = start, .target = run->target, .guard = system_with(s, before, run->guard)};
    if (before) {
        const Expr *now = system_with(s, before, checker_fact(c, t, run->source));
        whole.guard = expr_and(c->exprs, expr_and(c->exprs, inside(c, t, start, run->source, before), now), whole.guard);
    }
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (is_own(c, t, v)) vec_push(whole.updates, ((Update){v, system_with(s, before, transition_value(s, run, v))}));
    return whole;
}

/* Checks that a run to an In stop leads to the relation claimed there. */
static void check_inside(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    const Expr **values = NULL;
    for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(values, transition_value(s, run, v));
    checker_name(c, "inside %s %u to %u", s->threads[t].name, run->source, run->target);
    const Expr *mine = expr_and(c->exprs, checker_fact(c, t, run->source), run->guard);
    checker_obligation(c, expr_and(c->exprs, invariant(c, t, run->source, NONE, 0), mine), inside(c, t, run->source, run->target, values));
    vec_free(values);
}

/* Checks the runs from a stop of a block that begins at `start`. */
static void check_runs(Checker *c, unsigned t, unsigned start, unsigned l) {
    const Expr **before = NULL;
    for (unsigned v = 0; v < vec_len(c->system->variables) && l != start; v++)
        vec_push(before, is_own(c, t, v) ? expr_symbol(c->exprs, c->proof->after[v]) : system_expr(c->system, v));
    checker_name(c, "step %s %u", c->system->threads[t].name, l);
    const Transition *runs = checker_block_paths(c, t, l);
    for (size_t i = 0; i < vec_len(runs) && c->ok; i++) {
        Transition whole = from_start(c, t, start, &runs[i], before);
        if (c->proof->out[t][whole.target]) check_run(c, t, &whole);
        else check_inside(c, t, &whole);
        vec_free(whole.updates);
    }
    vec_free(before);
}

static void look_at_symbol(void *context, const Symbol *symbol) {
    Relation *r = context;
    const Checker *c = r->checker;
    unsigned v = system_variable(c->system, symbol);
    if (v == NONE) v = after_index(c, symbol);
    r->foreign |= v == NONE || !is_own(c, r->thread, v);
}

static void check_relation(Checker *c, const ProofInside *i) {
    Relation r = {.checker = c, .thread = i->thread};
    checker_name(c, "claim inside %s %u to %u", c->system->threads[i->thread].name, i->start, i->location);
    expr_symbols(i->relation, look_at_symbol, &r);
    if (r.foreign) checker_refuse(c, MSG_CHECK_RELATION_SCOPE);
    if (!c->proof->out[i->thread][i->start] || c->proof->out[i->thread][i->location] || !c->proof->stop[i->thread][i->location])
        checker_refuse(c, MSG_CHECK_INSIDE_PLACE);
}

/* ---- threads ---- */

static void check_claims(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    for (unsigned l = 0; l < vec_len(thread->locations); l++) {
        checker_name(c, "claim %s %u", thread->name, l);
        checker_scope(c, c->proof->invariants[t][l], (CheckScope){.all = true});
    }
    if (thread->many) checker_refuse(c, MSG_CHECK_MANY);
}

static void check_thread(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    for (unsigned l = 0; l < vec_len(thread->locations) && c->ok; l++) {
        if (!c->proof->out[t][l]) continue;
        if (checker_is_bad(c, t, l)) {
            check_error(c, t, l);
            continue;
        }
        check_runs(c, t, l, l);
    }
    vec_each_at(const ProofInside, i, c->proof->insides)
        if (i->thread == t && c->ok) check_runs(c, t, i->start, i->location);
}

/* Checks that the invariant of t holds while all threads are at their entries. */
static void check_start(Checker *c, unsigned t) {
    unsigned *entries = NULL;
    for (size_t u = 0; u < vec_len(c->system->threads); u++) vec_push(entries, c->system->threads[u].entry);
    Places p = {c, entries};
    checker_name(c, "init %s", c->system->threads[t].name);
    checker_obligation(c, checker_initially(c), expr_substitute(c->exprs, c->proof->invariants[t][entries[t]], place_image, &p));
    vec_free(entries);
}

void check_safety(Checker *c) {
    ensure(c->proof->rule == RULE_REDSAFETY);
    checker_places(c);
    if (vec_len(c->proof->insides)) checker_after(c);
    vec_each_at(const ProofInside, i, c->proof->insides)
        if (c->ok) check_relation(c, i);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) check_claims(c, t);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) {
        check_start(c, t);
        check_thread(c, t);
    }
}
