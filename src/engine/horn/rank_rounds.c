/* SPDX-License-Identifier: Apache-2.0 */
/* Shows that a node is visited only finitely often, by a transition invariant (Podelski and Rybalchenko, "Transition Invariants", LICS 2004;
   doc/rules.md, "Rounds").

   A node of the component is cut: the values of variables are saved at a visit. Spacer searches for a relation between the saved values
   and those at any later visit, such that some measure is smaller at the later visit. A cycle on which no measure falls gives a further
   measure, by guesses and by Farkas' lemma. By Ramsey's theorem the node is then visited only finitely often. */
#include "base/clock.h"
#include "base/map.h"
#include "engine/horn/rank.h"
#include "smt/horn.h"
#include <stdio.h>

enum { MOST_MEASURES = 6, MOST_CUTS = 2, MOST_MS = 4000, MOST_EDGES = 400 };

typedef struct Rounds {
    Ranker *ranker;
    RankPart *part;
    unsigned cut;
    const Expr **measures;     /* vecs */
    unsigned *saved;           /* the variables that measures mention */
    const Symbol **predicates; /* by node; NULL: the node is not in the part */
    Horn *horn;
    size_t *edges; /* by clause; the last is the query */
} Rounds;

static const ProductNode *node_of(const Rounds *r, unsigned n) { return &r->ranker->product->nodes[n]; }

/* ---- clauses: Q(saved, now) at each node of the part ---- */

static bool is_simple(const Rounds *r, unsigned v) { return r->ranker->system->variables[v].symbol->sort->kind != SORT_ARRAY; }

static void note_variable(void *context, const Symbol *symbol) {
    Rounds *r = context;
    unsigned v = system_variable(r->ranker->system, symbol);
    if (v != NONE && !vec_has(r->saved, v)) vec_push(r->saved, v);
}

static const Expr *saved_expr(const Rounds *r, unsigned v) { return expr_symbol(r->ranker->exprs, r->ranker->saved[v]); }

static void declare(Rounds *r, unsigned n) {
    const System *s = r->ranker->system;
    const ProductNode *node = node_of(r, n);
    const Sort **sorts = NULL;
    char name[40];
    if (r->predicates[n]) return;
    for (size_t i = 0; i < vec_len(r->saved); i++) vec_push(sorts, s->variables[r->saved[i]].symbol->sort);
    for (unsigned i = 0; i < node->nargs; i++)
        if (is_simple(r, node->args[i])) vec_push(sorts, s->variables[node->args[i]].symbol->sort);
    snprintf(name, sizeof name, "around-%u", n);
    r->predicates[n] = horn_predicate(r->horn, name, (unsigned)vec_len(sorts), sorts);
    vec_free(sorts);
}

/* Applies the predicate of node n to the saved and the present values. If `visits`, the saved values are those of the present visit.
   values: by variable, or NULL for the variables themselves. */
static const Expr *atom(const Rounds *r, unsigned n, bool visits, const Expr *const *values) {
    const System *s = r->ranker->system;
    const ProductNode *node = node_of(r, n);
    const Expr **args = NULL;
    for (size_t i = 0; i < vec_len(r->saved); i++) vec_push(args, visits ? system_expr(s, r->saved[i]) : saved_expr(r, r->saved[i]));
    for (unsigned i = 0; i < node->nargs; i++)
        if (is_simple(r, node->args[i])) vec_push(args, values ? values[node->args[i]] : system_expr(s, node->args[i]));
    const Expr *e = expr_apply(s->exprs, r->predicates[n], (unsigned)vec_len(args), args);
    vec_free(args);
    return e;
}

static const Expr *at_visit(void *context, const Expr *e) {
    const Rounds *r = context;
    unsigned v = system_variable(r->ranker->system, e->symbol);
    return v == NONE ? NULL : saved_expr(r, v);
}

/* Returns the formula that some measure is smaller than at the saved visit, where it was not negative. */
static const Expr *covered(Rounds *r) {
    Exprs *x = r->ranker->exprs;
    const Expr *some = expr_bool(x, false);
    for (size_t i = 0; i < vec_len(r->measures); i++) {
        const Expr *now = r->measures[i], *then = expr_substitute(x, now, at_visit, r);
        some = expr_or(x, some, expr_and(x, expr_2(x, OP_SLT, now, then), expr_2(x, OP_SLE, expr_int(x, 0), then)));
    }
    return some;
}

static void add_clause(Rounds *r, const RankEdge *e, size_t edge, bool visits) {
    char name[60];
    const Expr *body = visits ? NULL : atom(r, e->source, false, NULL);
    snprintf(name, sizeof name, "%s-%zu", visits ? "start" : "step", edge);
    horn_clause(r->horn, name, e->guard, visits ? 0 : 1, &body, atom(r, e->target, visits, (const Expr *const *)e->after));
    vec_push(r->edges, edge);
}

static void make_clauses(Rounds *r) {
    const RankPart *p = r->part;
    r->horn = horn_new(r->ranker->smt);
    vec_resize(r->predicates, vec_len(r->ranker->product->nodes));
    for (size_t i = 0; i < vec_len(r->measures); i++) expr_symbols(r->measures[i], note_variable, r);
    for (size_t i = 0; i < vec_len(p->edges); i++) declare(r, r->ranker->edges[p->edges[i]].source);
    for (size_t i = 0; i < vec_len(p->edges); i++) {
        const RankEdge *e = &r->ranker->edges[p->edges[i]];
        if (e->source == r->cut) add_clause(r, e, p->edges[i], true);
        add_clause(r, e, p->edges[i], false);
    }
    const Expr *body = atom(r, r->cut, false, NULL);
    horn_clause(r->horn, "cover", expr_not(r->ranker->exprs, covered(r)), 1, &body, NULL);
}

static void forget_clauses(Rounds *r) {
    if (r->horn) horn_free(r->horn);
    vec_free(r->predicates);
    vec_free(r->edges);
    vec_free(r->saved);
    r->horn = NULL;
    r->predicates = NULL;
    r->edges = NULL;
    r->saved = NULL;
}

/* ---- a cycle as one edge ---- */

typedef struct Way {
    Ranker *ranker;
    RankEdge edge;
    Map *inputs; /* from an input of the present edge to its new symbol */
} Way;

static const Expr *along(void *context, const Expr *e) {
    Way *w = context;
    Ranker *r = w->ranker;
    unsigned v = system_variable(r->system, e->symbol);
    if (v != NONE) return vec_len(w->edge.after) ? w->edge.after[v] : NULL;
    const Expr *input = map_find(w->inputs, e);
    if (!input) {
        input = expr_symbol(r->exprs, symbol_new(r->exprs, SYM_VARIABLE, "way", e->sort));
        map_set(w->inputs, e, (void *)input);
    }
    return input;
}

static void extend(Way *w, const RankEdge *by) {
    Exprs *x = w->ranker->exprs;
    const Expr **after = NULL, *guard;
    w->inputs = map_new();
    guard = expr_substitute(x, by->guard, along, w);
    for (size_t v = 0; v < vec_len(by->after); v++) vec_push(after, by->after[v] ? expr_substitute(x, by->after[v], along, w) : NULL);
    w->edge.guard = expr_and(x, w->edge.guard, guard);
    vec_free(w->edge.after);
    w->edge.after = after;
    map_free(w->inputs);
}

RankEdge rank_compose(Ranker *r, unsigned node, const unsigned *edges) {
    Way w = {.ranker = r, .edge = {.source = node, .target = node, .guard = expr_bool(r->exprs, true)}};
    for (size_t i = 0; i < vec_len(edges); i++) extend(&w, &r->edges[edges[i]]);
    return w.edge;
}

/* Returns the cycle along a derivation, as one edge. clauses: from the visit to the query. */
static RankEdge compose_cycle(Rounds *r, const size_t *clauses) {
    unsigned *edges = NULL;
    for (size_t i = 0; i < vec_len(clauses); i++)
        if (clauses[i] < vec_len(r->edges)) vec_push(edges, (unsigned)r->edges[clauses[i]]);
    RankEdge way = rank_compose(r->ranker, r->cut, edges);
    vec_free(edges);
    return way;
}

/* Returns a value that falls on the cycle. NULL if no value is found, or it is a measure already. */
static const Expr *measure_of(Rounds *r, RankEdge way) {
    Ranker *ranker = r->ranker;
    unsigned *only = NULL;
    RankPart part = {0};
    vec_push(only, (unsigned)vec_len(ranker->edges));
    vec_push(ranker->edges, way);
    vec_resize(part.value, vec_len(ranker->product->nodes));
    part.edges = only;
    const Expr *found = rank_guess(ranker, &part) || rank_farkas(ranker, &part) ? part.value[r->cut] : NULL;
    for (size_t i = 0; i < vec_len(r->measures) && found; i++)
        if (r->measures[i] == found) found = NULL;
    (void)vec_pop(ranker->edges);
    vec_free(only);
    vec_free(part.value);
    return found;
}

/* Adds a measure for a cycle on which no measure falls. Returns false if no measure is found. */
static bool learn(Rounds *r, HornLimits limits) {
    size_t *clauses = horn_refutation(r->horn, limits);
    if (!vec_len(clauses)) return false;
    RankEdge way = compose_cycle(r, clauses);
    vec_free(clauses);
    const Expr *measure = vec_len(way.after) ? measure_of(r, way) : NULL;
    vec_free(way.after);
    if (measure) vec_push(r->measures, measure);
    return measure;
}

/* ---- a solution ---- */

static const Expr *solution_at(Rounds *r, unsigned n) {
    const Expr *a = atom(r, n, false, NULL);
    return horn_solution(r->horn, r->predicates[n], a->args);
}

static bool read_rounds(Rounds *r) {
    RankPart *p = r->part;
    bool good = true;
    for (size_t n = 0; n < vec_len(p->value); n++) p->value[n] = NULL;
    vec_resize(p->rounds, vec_len(p->value));
    for (unsigned n = 0; n < vec_len(p->value) && good; n++) {
        if (r->predicates[n]) good = (p->rounds[n].relation = solution_at(r, n));
        if (good && expr_is_false(p->rounds[n].relation ? p->rounds[n].relation : expr_bool(r->ranker->exprs, true)))
            p->rounds[n].relation = NULL;
    }
    if (!good) {
        vec_free(p->rounds);
        p->rounds = NULL;
        return false;
    }
    p->rounds[r->cut].measures = r->measures;
    r->measures = NULL;
    for (size_t i = 0; i < vec_len(p->edges); i++)
        if (r->ranker->edges[p->edges[i]].source == r->cut) r->ranker->edges[p->edges[i]].done = true;
    return true;
}

static HornLimits limits_of(const Ranker *r) {
    double left = (r->deadline - clock_seconds()) / 3 * 1000;
    return (HornLimits){.milliseconds = left < 1 ? 1 : left < (double)MOST_MS ? (unsigned)left : MOST_MS};
}

static bool try_cut(Ranker *ranker, RankPart *p, unsigned cut) {
    Rounds r = {.ranker = ranker, .part = p, .cut = cut};
    bool found = false, again = true;
    while (again && !found && vec_len(r.measures) <= MOST_MEASURES && clock_seconds() < ranker->deadline) {
        HornLimits limits = limits_of(ranker);
        make_clauses(&r);
        HornAnswer answer = horn_solve(r.horn, limits);
        if (answer == HORN_SOLVED) found = vec_len(r.measures) && read_rounds(&r);
        again = answer == HORN_REFUTED && learn(&r, limits);
        forget_clauses(&r);
    }
    vec_free(r.measures);
    return found;
}

/* ---- the node ---- */

static void save_variables(Ranker *r) {
    if (vec_len(r->saved)) return;
    vec_each_at(const SystemVariable, x, r->system->variables) {
        Buf name = {0};
        buf_printf(&name, "%s.then", x->name);
        vec_push(r->saved, symbol_new(r->exprs, SYM_VARIABLE, buf_string(&name), x->symbol->sort));
        buf_free(&name);
    }
}

/* Returns the node to which most edges lead, among those not tried yet; NONE if all were tried. */
static unsigned busiest(const Ranker *r, const RankPart *p, const bool *tried) {
    unsigned *count = NULL, best = NONE;
    vec_resize(count, vec_len(p->value));
    for (size_t i = 0; i < vec_len(p->edges); i++) count[r->edges[p->edges[i]].target]++;
    for (unsigned n = 0; n < vec_len(p->value); n++)
        if (count[n] && !tried[n] && (best == NONE || count[n] > count[best])) best = n;
    vec_free(count);
    return best;
}

bool rank_rounds(Ranker *r, RankPart *p) {
    bool *tried = NULL, found = false;
    if (!r->system->integers || vec_len(p->edges) > MOST_EDGES) return false;
    save_variables(r);
    vec_resize(tried, vec_len(p->value));
    for (unsigned i = 0; i < MOST_CUTS && !found; i++) {
        unsigned cut = busiest(r, p, tried);
        if (cut == NONE) break;
        tried[cut] = true;
        found = try_cut(r, p, cut);
    }
    vec_free(tried);
    return found;
}
