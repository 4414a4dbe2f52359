/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the components of the tuples in turn.

   The first component is the number of the node's strongly connected component (SCC). It falls on edges from one SCC to the next. The
   next component is a value for each SCC with a cycle, which grows on none of its edges. The edges on which it falls are done. The
   remaining edges are split into SCCs again, until no cycle is left. */
#include "engine/horn/rank.h"
#include "base/clock.h"
#include "base/components.h"
#include <stdlib.h>

enum { MOST_COMPONENTS = 40, CHANGE_MS = 1000, MOST_DEPTH = 4, MOST_WAYS = 6 };

/* ---- edges ---- */

/* A transition that merge-transitions made has several cases, on which different components of the tuple may fall. So each case becomes an
   edge. */

/* Returns the condition of a choice inside e, or NULL. */
static const Expr *find_condition(const Expr *e) {
    if (e->op == OP_ITE && !expr_is_const(e->args[0])) return e->args[0];
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *found = find_condition(e->args[i]);
        if (found) return found;
    }
    return NULL;
}

static const Expr *find_condition_of(const RankEdge *e) {
    const Expr *found = find_condition(e->guard);
    for (size_t v = 0; v < vec_len(e->after) && !found; v++)
        if (e->after[v]) found = find_condition(e->after[v]);
    return found;
}

/* Returns a disjunction in the guard, or NULL. */
static const Expr *find_ways(const Expr *guard) {
    if (guard->op == OP_OR) return guard;
    for (unsigned i = 0; guard->op == OP_AND && i < guard->nargs; i++)
        if (guard->args[i]->op == OP_OR) return guard->args[i];
    return NULL;
}

typedef struct Decided {
    const Expr *condition, *value;
} Decided;

static const Expr *decided(void *context, const Expr *e) {
    const Decided *d = context;
    return e == d->condition ? d->value : NULL;
}

static void add_ways(Ranker *r, RankEdge e, unsigned depth);

static void add_way(Ranker *r, const RankEdge *e, Decided d, const Expr *when, unsigned depth) {
    Exprs *x = r->exprs;
    RankEdge way = {.source = e->source, .target = e->target, .thread = e->thread, .foreign = e->foreign};
    way.guard = expr_and(x, when, expr_replace(x, e->guard, decided, &d));
    for (size_t v = 0; v < vec_len(e->after); v++) vec_push(way.after, e->after[v] ? expr_replace(x, e->after[v], decided, &d) : NULL);
    add_ways(r, way, depth + 1);
}

/* Adds the cases of an edge. Takes ownership of it. */
static void add_ways(Ranker *r, RankEdge e, unsigned depth) {
    Exprs *x = r->exprs;
    const Expr *condition = depth < MOST_DEPTH ? find_condition_of(&e) : NULL;
    const Expr *ways = depth < MOST_DEPTH && !condition ? find_ways(e.guard) : NULL;
    if (ways && ways->nargs > MOST_WAYS) ways = NULL;
    if (expr_is_false(e.guard)) {
        vec_free(e.after);
        return;
    }
    if (!condition && !ways) {
        vec_push(r->edges, e);
        return;
    }
    const Expr *yes = expr_bool(x, true), *no = expr_bool(x, false);
    if (condition) add_way(r, &e, (Decided){condition, yes}, condition, depth);
    if (condition) add_way(r, &e, (Decided){condition, no}, expr_not(x, condition), depth);
    for (unsigned i = 0; ways && i < ways->nargs; i++) add_way(r, &e, (Decided){ways, yes}, ways->args[i], depth);
    vec_free(e.after);
}

static void add_edge(Ranker *r, size_t clause) {
    const ProductClause *c = &r->product->clauses[clause];
    const HornClause *h = horn_get(r->product->horn.horn, clause);
    if (c->source == NONE || c->target == NONE || expr_is_false(h->constraint)) return;
    const ProductNode *to = &r->product->nodes[c->target];
    RankEdge e = {.source = c->source, .target = c->target, .thread = c->steps[0].thread, .guard = h->constraint};
    vec_resize(e.after, vec_len(r->system->variables));
    for (unsigned i = 0; i < to->nargs; i++) e.after[to->args[i]] = h->head->args[i];
    add_ways(r, e, 0);
}

/* ---- values ---- */

bool rank_matters(const Ranker *r, unsigned node, unsigned v) {
    return r->product->relevant[v] && system_is_live(r->system, r->product->nodes[node].locations, v);
}

typedef struct Scope {
    const Ranker *ranker;
    unsigned node;
    bool inside;
} Scope;

static void check_scope(void *context, const Symbol *symbol) {
    Scope *s = context;
    unsigned v = system_variable(s->ranker->system, symbol);
    s->inside &= v != NONE && rank_matters(s->ranker, s->node, v);
}

const Expr *rank_at(Ranker *r, const Linear *sum, unsigned node) {
    Linear there = {.sort = sum->sort, .constant = sum->constant};
    for (size_t i = 0; i < vec_len(sum->terms); i++) {
        Scope s = {r, node, true};
        expr_symbols(sum->terms[i].monomial, check_scope, &s);
        if (s.inside) vec_push(there.terms, sum->terms[i]);
    }
    const Expr *e = system_with(r->system, r->product->nodes[node].values, linear_expr(r->exprs, &there));
    linear_free(&there);
    return e;
}

RankChange rank_change(Ranker *r, const RankEdge *e, const Expr *before, const Expr *at_target) {
    Exprs *x = r->exprs;
    const Expr *after = system_with(r->system, e->after, at_target);
    if (before == after) return RANK_STAYS;
    const Expr *falls = expr_and(x, expr_2(x, OP_SLT, after, before), expr_2(x, OP_SLE, expr_int(x, 0), before));
    const Expr *grows = expr_2(x, OP_SLT, before, after);
    if (smt_check(r->smt, CHANGE_MS, expr_and(x, e->guard, expr_not(x, falls))) == SMT_UNSAT) return RANK_FALLS;
    return smt_check(r->smt, CHANGE_MS, expr_and(x, e->guard, grows)) == SMT_UNSAT ? RANK_STAYS : RANK_GROWS;
}

bool rank_take(Ranker *r, RankPart *p) {
    unsigned *falls = NULL;
    bool good = true, some = false;
    for (size_t i = 0; i < vec_len(p->edges) && good; i++) {
        const RankEdge *e = &r->edges[p->edges[i]];
        RankChange change = rank_change(r, e, p->value[e->source], p->value[e->target]);
        if (change == RANK_FALLS) vec_push(falls, p->edges[i]);
        some |= change == RANK_FALLS && !e->foreign;
        good = change != RANK_GROWS && clock_seconds() < r->deadline;
    }
    good = good && some;
    for (size_t i = 0; i < vec_len(falls) && good; i++) r->edges[falls[i]].done = true;
    vec_free(falls);
    return good;
}

static void find_components(Ranker *r) {
    unsigned **out = NULL;
    vec_resize(out, vec_len(r->product->nodes));
    vec_each_at(const RankEdge, e, r->edges)
        if (!e->done && !e->foreign) vec_push(out[e->source], e->target);
    vec_free(r->component);
    r->component = components_find(out);
    vec_free_rows(out);
}

/* ---- the tuple ---- */

static void add_to_tuples(Ranker *r, const Expr *const *values, const ProofRound *rounds) {
    for (size_t n = 0; n < vec_len(r->tuples); n++) {
        vec_push(r->tuples[n], values[n] ? values[n] : expr_int(r->exprs, 0));
        vec_push(r->rounds[n], rounds ? rounds[n] : (ProofRound){0});
        if (r->fair) vec_push(r->helpers[n], 0);
    }
}

/* Adds the number of the SCC to the tuples. Marks the edges between SCCs as done. Returns true if edges are left that are not foreign. */
static bool number_components(Ranker *r) {
    const Expr **numbers = NULL;
    bool left = false;
    find_components(r);
    for (size_t n = 0; n < vec_len(r->tuples); n++) vec_push(numbers, expr_int(r->exprs, r->component[n]));
    add_to_tuples(r, numbers, NULL);
    vec_free(numbers);
    for (size_t i = 0; i < vec_len(r->edges); i++) {
        r->edges[i].done |= r->component[r->edges[i].source] != r->component[r->edges[i].target];
        left |= !r->edges[i].done && !r->edges[i].foreign;
    }
    return left;
}

/* True if a thread helps the SCC. It becomes the helper at the last component of the tuples, which is the number of the SCC. */
static bool is_helped(Ranker *r, unsigned component, const unsigned *edges) {
    unsigned thread;
    if (!r->fair || !rank_help(r, edges, &thread)) return false;
    for (size_t n = 0; n < vec_len(r->tuples); n++)
        if (r->component[n] == component) vec_last(r->helpers[n]) = thread + 1;
    for (size_t i = 0; i < vec_len(edges); i++) r->edges[edges[i]].done = true;
    return true;
}

static bool has_own(const Ranker *r, const unsigned *edges) {
    for (size_t i = 0; i < vec_len(edges); i++)
        if (!r->edges[edges[i]].foreign) return true;
    return false;
}

static bool find_value(Ranker *r, RankPart *p) {
    if (r->each) return rank_guess(r, p) || rank_farkas(r, p) || rank_piecewise(r, p);
    if (r->rounds_first && rank_rounds(r, p)) return true;
    return rank_guess(r, p) || rank_farkas(r, p) || rank_piecewise(r, p) || (!r->rounds_first && rank_rounds(r, p));
}

/* Finds a value for each SCC with a cycle, and adds the values to the tuples. Returns false if no value is found for some SCC. */
static bool find_values(Ranker *r, unsigned *stuck) {
    unsigned **edges = NULL; /* by component */
    bool good = true;
    RankPart all = {0};
    vec_resize(edges, vec_len(r->tuples));
    vec_resize(all.value, vec_len(r->tuples));
    vec_resize(all.rounds, vec_len(r->tuples));
    for (unsigned i = 0; i < vec_len(r->edges); i++)
        if (!r->edges[i].done) vec_push(edges[r->component[r->edges[i].source]], i);
    for (size_t c = 0; c < vec_len(edges) && good; c++) {
        if (!has_own(r, edges[c]) || is_helped(r, (unsigned)c, edges[c])) continue;
        RankPart part = {.edges = edges[c]};
        vec_resize(part.value, vec_len(r->tuples));
        good = find_value(r, &part);
        if (!good) *stuck = r->edges[edges[c][0]].source;
        for (size_t n = 0; n < vec_len(r->tuples); n++) {
            if (r->component[n] == c) all.value[n] = part.value[n];
            if (vec_len(part.rounds) && r->component[n] == c) all.rounds[n] = part.rounds[n];
        }
        vec_free(part.value);
        vec_free(part.rounds);
    }
    add_to_tuples(r, all.value, all.rounds); /* also after a failure, so that rank_free frees the measures */
    vec_free_rows(edges);
    vec_free(all.value);
    vec_free(all.rounds);
    return good;
}

void rank_add(Ranker *r, RankEdge e) { add_ways(r, e, 0); }

bool rank_nodes(Ranker *r, unsigned *stuck) {
    const Product *p = r->product;
    unsigned rounds = 0;
    vec_resize(r->rounds, vec_len(p->nodes));
    vec_resize(r->tuples, vec_len(p->nodes));
    vec_resize(r->helpers, vec_len(p->nodes));
    while (number_components(r))
        if (++rounds > MOST_COMPONENTS || !find_values(r, stuck)) return false;
    return true;
}

bool rank_product(Ranker *r, unsigned *stuck) {
    r->system = r->product->system;
    r->exprs = r->system->exprs;
    for (size_t i = 0; i < vec_len(r->product->clauses); i++) add_edge(r, i);
    return rank_nodes(r, stuck);
}

void rank_free(Ranker *r) {
    for (size_t i = 0; i < vec_len(r->edges); i++) vec_free(r->edges[i].after);
    for (size_t n = 0; n < vec_len(r->tuples); n++) {
        for (size_t i = 0; i < vec_len(r->rounds[n]); i++) vec_free(r->rounds[n][i].measures);
        vec_free(r->rounds[n]);
        vec_free(r->tuples[n]);
        vec_free(r->helpers[n]);
    }
    vec_free(r->rounds);
    vec_free(r->saved);
    vec_free(r->helpers);
    vec_free(r->edges);
    vec_free(r->component);
    vec_free(r->tuples);
}
