/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for a cycle that may be endless, where no ranking is found.

   The condition of the cycle must imply the same condition after one round, without regard to the bounds of types. If numbers had no bounds, the
   cycle would be endless from every state that satisfies the condition. Such a state need not be reachable, so the cycle is only a note in
   the verdict. */
#include "engine/horn/rank.h"

enum { MOST_LENGTH = 6, MOST_WAYS = 40, KEEPS_MS = 500, MOST_PRINTED = 6 };

typedef struct Search {
    Ranker *ranker;
    unsigned start, tried; /* the node, and the number of cycles that were tried */
    unsigned *edges;       /* a vec: from the start */
    Buf *text;
} Search;

static void note_input(void *context, const Symbol *symbol) {
    const Ranker *r = ((void **)context)[0];
    if (system_variable(r->system, symbol) == NONE) *(bool *)((void **)context)[1] = true;
}

static bool has_input(Ranker *r, const Expr *e) {
    bool found = false;
    void *context[] = {r, &found};
    expr_symbols(e, note_input, context);
    return found;
}

/* ---- without the bounds of types ---- */

static bool is_bound(const Expr *e) {
    const i128 most = INT32_MAX;
    if (e->op == OP_NOT) return is_bound(e->args[0]);
    if ((e->op != OP_SLE && e->op != OP_SLT) || e->args[0]->sort->kind != SORT_INT) return false;
    for (unsigned i = 0; i < 2; i++) {
        i128 value = expr_is_const(e->args[i]) ? (i128)e->args[i]->value : 0;
        if (value >= most || value <= -most) return true;
    }
    return false;
}

static const Expr *unbounded(Exprs *x, const Expr *e) {
    const Expr *rest = expr_bool(x, true);
    if (e->op != OP_AND) return is_bound(e) ? rest : e;
    for (unsigned i = 0; i < e->nargs; i++) rest = expr_and(x, rest, unbounded(x, e->args[i]));
    return rest;
}

/* ---- the text ---- */

typedef struct StateText {
    const Ranker *ranker;
    Solver *solver;
    Buf *text;
    unsigned count;
} StateText;

static void print_variable(void *context, const Symbol *symbol) {
    StateText *t = context;
    unsigned v = system_variable(t->ranker->system, symbol);
    const Expr *value = v != NONE && symbol->sort->kind == SORT_INT ? solver_value(t->solver, system_expr(t->ranker->system, v)) : NULL;
    if (!value || t->count >= MOST_PRINTED) return;
    buf_printf(t->text, "%s%s = ", t->count++ ? ", " : "", t->ranker->system->variables[v].name);
    expr_print_c(t->text, value);
}

/* Prints the values of variables in a state that satisfies the guard. Returns false if no such state is found. */
static bool print_state(const Search *s, const Expr *guard) {
    Ranker *r = s->ranker;
    StateText t = {.ranker = r, .solver = solver_new(r->smt, KEEPS_MS), .text = s->text};
    solver_assert(t.solver, guard);
    bool found = solver_check(t.solver) == SMT_SAT;
    if (found) expr_symbols(guard, print_variable, &t);
    solver_free(t.solver);
    return found;
}

/* ---- cycles ---- */

static bool try_cycle(Search *s) {
    Ranker *r = s->ranker;
    RankEdge way = rank_compose(r, s->start, s->edges);
    bool found = false;
    const Expr *guard = unbounded(r->exprs, way.guard);
    s->tried++;
    if (!has_input(r, guard) && !expr_is_false(guard)) {
        const Expr *again = system_with(r->system, way.after, guard);
        const Expr *ends = expr_and(r->exprs, guard, expr_not(r->exprs, again));
        found = smt_check(r->smt, KEEPS_MS, ends) == SMT_UNSAT && print_state(s, way.guard);
    }
    vec_free(way.after);
    return found;
}

static bool passes(const Search *s, unsigned node) {
    for (size_t i = 0; i < vec_len(s->edges); i++)
        if (s->ranker->edges[s->edges[i]].source == node) return true;
    return false;
}

static bool extend_path(Search *s, unsigned node) {
    Ranker *r = s->ranker;
    for (unsigned i = 0; i < vec_len(r->edges) && s->tried < MOST_WAYS; i++) {
        const RankEdge *e = &r->edges[i];
        if (e->source != node || e->done || e->foreign || r->component[e->target] != r->component[s->start]) continue;
        bool closes = e->target == s->start;
        if (!closes && (passes(s, e->target) || vec_len(s->edges) + 1 >= MOST_LENGTH)) continue;
        vec_push(s->edges, i);
        if (closes ? try_cycle(s) : extend_path(s, e->target)) return true;
        (void)vec_pop(s->edges);
    }
    return false;
}

bool rank_candidate(Ranker *r, unsigned stuck, Buf *text) {
    Search s = {.ranker = r, .start = stuck, .text = text};
    bool found = r->system->integers && extend_path(&s, stuck);
    vec_free(s.edges);
    return found;
}
