/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a location where a thread only tests a condition: one location for each outcome.

   requires  a system with a transition for each action, or one that is being merged
   ensures   the same errors are reachable
   breaks    the thread has one more location, its last; transitions into the location are there twice

   The condition concerns the thread's own locals, and one of them is not needed after the test. Transitions into the split location test
   the condition themselves, over the values that they assign. */
#include "passes/system/system_passes.h"
#include "system/compose.h"

enum { LIMIT = 8 }; /* the bound of the number of transitions into the location, each of which becomes two */

typedef struct Test {
    const System *system;
    unsigned thread;
    const Transition *transition; /* the transition with the test */
    bool own, last;               /* own: it only mentions the thread's locals; last: one of them is not needed afterwards */
} Test;

static void check_symbol(void *context, const Symbol *symbol) {
    Test *q = context;
    unsigned v = system_variable(q->system, symbol);
    if (v == NONE || q->system->variables[v].thread != q->thread) {
        q->own = false;
        return;
    }
    const SystemLocation *target = &q->system->threads[q->thread].locations[q->transition->target];
    bool needed = false;
    for (size_t u = 0; u < vec_len(q->transition->updates); u++) needed |= expr_mentions(q->transition->updates[u].value, symbol);
    for (size_t i = 0; i < vec_len(target->live) && !transition_update(q->transition, v); i++) needed |= target->live[i] == v;
    q->last |= !needed;
}

/* Returns 1 if the transition requires c, -1 if it requires the negation, 0 otherwise. 0 also if the test is not `own` and `last`. */
static int required_outcome(const System *s, unsigned thread, const Transition *tr, const Expr *c) {
    const Expr **guard = conjuncts(tr->guard), *negated = expr_not(s->exprs, c);
    Test q = {s, thread, tr, true, false};
    int result = 0;
    for (size_t i = 0; i < vec_len(guard); i++)
        if (guard[i] == c) result = 1;
        else if (guard[i] == negated) result = -1;
    vec_free(guard);
    expr_symbols(c, check_symbol, &q);
    return q.own && q.last ? result : 0;
}

/* Returns a condition such that each transition from l requires it or its negation, and both occur. NULL if there is no such condition. */
static const Expr *test_at(const System *s, const SystemThread *t, unsigned l) {
    const unsigned *out = t->locations[l].out, thread = (unsigned)(t - s->threads);
    const Expr **guard = vec_len(out) ? conjuncts(t->transitions[out[0]].guard) : NULL, *found = NULL;
    for (size_t i = 0; i < vec_len(guard) && !found; i++) {
        bool yes = false, no = false, all = true;
        for (size_t k = 0; k < vec_len(out) && all; k++) {
            int a = required_outcome(s, thread, &t->transitions[out[k]], guard[i]);
            yes |= a > 0;
            no |= a < 0;
            all = a != 0;
        }
        if (all && yes && no) found = guard[i];
    }
    vec_free(guard);
    return found;
}

static void drop_conjunct(const System *s, Transition *tr, const Expr *c) {
    const Expr **guard = conjuncts(tr->guard);
    tr->guard = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(guard); i++)
        if (guard[i] != c) tr->guard = expr_and(s->exprs, tr->guard, guard[i]);
    vec_free(guard);
}

bool split_location(const System *s, SystemThread *t, unsigned l) {
    ensure(l < vec_len(t->locations));
    size_t in = 0;
    const SystemLocation *at = &t->locations[l];
    if (at->kind != LOCATION_PLAIN || at->atomic || l == t->entry) return false;
    const Expr *c = test_at(s, t, l);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        in += t->transitions[i].target == l;
        if (t->transitions[i].target == l && t->transitions[i].source == l) return false;
    }
    if (!c || in > LIMIT) return false;
    const Expr *negated = expr_not(s->exprs, c);
    unsigned thread = (unsigned)(t - s->threads), no = (unsigned)vec_len(t->locations);
    SystemLocation second = *at;
    second.out = NULL;
    second.live = NULL;
    for (size_t i = 0; i < vec_len(at->live); i++) vec_push(second.live, at->live[i]);
    vec_push(t->locations, second);
    for (size_t i = 0, n = vec_len(t->transitions); i < n; i++) {
        Transition *x = &t->transitions[i];
        if (x->source == l && required_outcome(s, thread, x, c) < 0) x->source = no, drop_conjunct(s, x, negated);
        else if (x->source == l) drop_conjunct(s, x, c);
        if (x->target != l) continue;
        Transition ask = {.source = l, .target = no, .guard = negated, .creates = NONE, .joins = NONE, .lock = NONE, .unlock = NONE};
        Transition other = transition_then(s, x, &ask);
        x->guard = expr_and(s->exprs, x->guard, transition_after(s, x, c));
        vec_push(t->transitions, other);
    }
    thread_relink(t);
    return true;
}
