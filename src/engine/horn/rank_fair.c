/* SPDX-License-Identifier: Apache-2.0 */
/* Finds helpers for fair schedulers (doc/rules.md, "Fair schedulers"). A fair scheduler lets a thread step that can always step. So an
   execution leaves a strongly connected component if such a thread has no edge inside it. */
#include "engine/horn/rank.h"

enum { HELP_MS = 1000 };

static void note_congruent(void *context, const Symbol *symbol) {
    void **c = context;
    const System *s = c[0];
    unsigned v = system_variable(s, symbol);
    const Variable *origin = v == NONE ? NULL : s->variables[v].origin;
    if (v == NONE || (origin && origin->congruent)) *(bool *)c[1] = true;
}

/* True if the guard is equivalent to the guard of the program: it has no input, and no variable that is known only up to congruence. */
static bool is_exact(const System *s, const Expr *guard) {
    bool other = false;
    void *context[] = {(void *)s, &other};
    expr_symbols(guard, note_congruent, context);
    return !other;
}

static bool can_step(Ranker *r, unsigned node, unsigned thread) {
    const System *s = r->system;
    const SystemThread *t = &s->threads[thread];
    const SystemLocation *l = &t->locations[r->product->nodes[node].locations[thread]];
    const Expr *some = expr_bool(r->exprs, false);
    for (size_t i = 0; i < vec_len(l->out); i++) {
        const Transition *x = &t->transitions[l->out[i]];
        if (!t->locations[x->target].atomic && is_exact(s, x->guard)) some = expr_or(r->exprs, some, x->guard);
    }
    some = system_with(s, r->product->nodes[node].values, some);
    if (expr_is_true(some)) return true;
    if (expr_is_false(some)) return false;
    return smt_check(r->smt, HELP_MS, expr_and(r->exprs, r->invariants[node], expr_not(r->exprs, some))) == SMT_UNSAT;
}

static bool all_out(const Ranker *r, unsigned node) {
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (!r->product->blocks->out[t][r->product->nodes[node].locations[t]]) return false;
    return true;
}

static bool helps(Ranker *r, const unsigned *edges, unsigned thread) {
    for (size_t i = 0; i < vec_len(edges); i++)
        if (r->edges[edges[i]].thread == thread) return false;
    for (size_t i = 0; i < vec_len(edges); i++) {
        unsigned node = r->edges[edges[i]].source;
        bool again = i && r->edges[edges[i - 1]].source == node;
        if (!again && !can_step(r, node, thread)) return false;
    }
    return true;
}

bool rank_help(Ranker *r, const unsigned *edges, unsigned *thread) {
    for (size_t i = 0; i < vec_len(edges); i++)
        if (!all_out(r, r->edges[edges[i]].source)) return false;
    for (*thread = 0; *thread < vec_len(r->system->threads); ++*thread)
        if (helps(r, edges, *thread)) return true;
    return false;
}
