/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses values that fall from the comparisons of guards: a loop that runs while a <= b often makes b - a smaller. */
#include "base/clock.h"
#include "base/map.h"
#include "engine/horn/rank.h"

enum { MOST_GUESSES = 300 };

typedef struct Guesses {
    Ranker *ranker;
    Map *seen;    /* visited expressions and guesses */
    Linear *list; /* a vec */
} Guesses;

static void note_other(void *context, const Symbol *symbol) {
    const Guesses *g = ((void **)context)[0];
    if (system_variable(g->ranker->system, symbol) == NONE) *(bool *)((void **)context)[1] = true;
}

/* True if the expression has no input. */
static bool is_of_state(Guesses *g, const Expr *e) {
    bool other = false;
    void *context[] = {g, &other};
    expr_symbols(e, note_other, context);
    return !other;
}

/* Adds the guess b - a. */
static void add_difference(Guesses *g, const Expr *a, const Expr *b) {
    Linear sum, less;
    linear_of(g->ranker->exprs, b, &sum);
    linear_of(g->ranker->exprs, a, &less);
    bool good = linear_add(&sum, -1, &less) && vec_len(sum.terms);
    linear_free(&less);
    const Expr *e = good ? linear_expr(g->ranker->exprs, &sum) : NULL;
    if (!e || map_find(g->seen, e) || !is_of_state(g, e) || vec_len(g->list) >= MOST_GUESSES) {
        linear_free(&sum);
        return;
    }
    map_set(g->seen, e, (void *)e);
    vec_push(g->list, sum);
}

static void collect(Guesses *g, const Expr *e) {
    if (map_find(g->seen, e) || !e->nargs) return;
    bool compares = is_integer_comparison(e);
    map_set(g->seen, e, (void *)e);
    if (compares) add_difference(g, e->args[0], e->args[1]);
    if (compares) add_difference(g, e->args[1], e->args[0]);
    for (unsigned i = 0; i < e->nargs; i++) collect(g, e->args[i]);
}

static bool try_guess(Ranker *r, RankPart *p, const Linear *sum) {
    for (size_t n = 0; n < vec_len(p->value); n++) p->value[n] = NULL;
    for (size_t i = 0; i < vec_len(p->edges); i++) {
        unsigned node = r->edges[p->edges[i]].source; /* each node of a component with a cycle is the source of one of its edges */
        if (!p->value[node]) p->value[node] = rank_at(r, sum, node);
    }
    return rank_take(r, p);
}

bool rank_guess(Ranker *r, RankPart *p) {
    Guesses g = {.ranker = r, .seen = map_new()};
    bool found = false;
    for (size_t i = 0; i < vec_len(p->edges) && r->system->integers; i++)
        if (!r->edges[p->edges[i]].foreign) collect(&g, r->edges[p->edges[i]].guard);
    for (size_t i = 0; i < vec_len(g.list) && !found && clock_seconds() < r->deadline; i++) found = try_guess(r, p, &g.list[i]);
    for (size_t i = 0; i < vec_len(g.list); i++) linear_free(&g.list[i]);
    vec_free(g.list);
    map_free(g.seen);
    return found;
}
