/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rules redsafety and reachenv; see doc/rules.md. A thread's invariant may mention all variables and the
   places of the other threads. The number of threads is fixed. */
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
            e = expr_or(c->exprs, e, expr_and(c->exprs, expr_eq(c->exprs, place, expr_int(c->exprs, k)), invariant(c, u, k, t, l)));
    return e;
}

/* Checks S7: the invariants of all threads together exclude the error. */
static void check_error(Checker *c, unsigned t, unsigned l) {
    const Expr *e = invariant(c, t, l, NONE, 0);
    checker_name(c, "error %s %u", c->system->threads[t].name, l);
    for (unsigned u = 0; u < vec_len(c->system->threads) && !expr_is_false(e); u++)
        if (u != t) e = expr_and(c->exprs, e, somewhere(c, u, t, l));
    checker_obligation(c, e, expr_bool(c->exprs, false));
}

static void check_run(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    unsigned l = run->source, to = run->target;
    checker_name(c, "step %s %u to %u", s->threads[t].name, l, to);
    checker_obligation(c, expr_and(c->exprs, invariant(c, t, l, NONE, 0), run->guard),
                       transition_after(s, run, invariant(c, t, to, NONE, 0)));
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned k = 0; k < vec_len(s->threads[u].locations) && u != t && c->ok; k++) {
            if (!c->proof->out[u][k] || expr_is_true(c->proof->invariants[u][k])) continue;
            checker_name(c, "interfere %s %u by %s %u to %u", s->threads[u].name, k, s->threads[t].name, l, to);
            const Expr *both = expr_and(c->exprs, invariant(c, u, k, t, l), invariant(c, t, l, u, k));
            checker_obligation(c, expr_and(c->exprs, both, run->guard), transition_after(s, run, invariant(c, u, k, t, to)));
        }
}

static void check_claims(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    for (unsigned l = 0; l < vec_len(thread->locations); l++) {
        checker_name(c, "claim %s %u", thread->name, l);
        checker_scope(c, c->proof->invariants[t][l], (CheckScope){.all = true});
        if (c->proof->stop[t][l] && !c->proof->out[t][l]) checker_refuse(c, MSG_CHECK_STOP_INSIDE);
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
        checker_name(c, "step %s %u", thread->name, l);
        const Transition *runs = checker_block_paths(c, t, l);
        for (size_t i = 0; i < vec_len(runs) && c->ok; i++) check_run(c, t, &runs[i]);
    }
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
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) check_claims(c, t);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) {
        check_start(c, t);
        check_thread(c, t);
    }
}
