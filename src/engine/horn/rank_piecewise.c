/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the larger and the smaller of two numbers as values that fall. If one step makes a number smaller and another exchanges it for a second
   number, no linear value falls, but max(x, y - 1) may. All pairs of variables that change are tried, with small constants added. */
#include "base/clock.h"
#include "engine/horn/rank.h"

enum { MOST_VARIABLES = 6, MOST_SHIFT = 2 };

/* True if the variable is an integer that matters at all nodes of the part and is not a constant there, and some edge changes it. */
static bool is_candidate(const Ranker *r, const RankPart *p, unsigned v) {
    bool changes = false;
    if (r->system->variables[v].symbol->sort->kind != SORT_INT) return false;
    for (size_t i = 0; i < vec_len(p->edges); i++) {
        const RankEdge *e = &r->edges[p->edges[i]];
        if (!rank_matters(r, e->source, v) || r->product->nodes[e->source].values[v]) return false;
        changes |= e->after[v] && e->after[v] != system_expr(r->system, v);
    }
    return changes;
}

static bool try_pair(Ranker *r, RankPart *p, const Expr *a, const Expr *b, bool larger) {
    const Expr *less = expr_2(r->exprs, OP_SLT, a, b), *f = expr_ite(r->exprs, less, larger ? b : a, larger ? a : b);
    for (size_t n = 0; n < vec_len(p->value); n++) p->value[n] = NULL;
    for (size_t i = 0; i < vec_len(p->edges); i++) p->value[r->edges[p->edges[i]].source] = f;
    return rank_take(r, p);
}

bool rank_piecewise(Ranker *r, RankPart *p) {
    unsigned *list = NULL;
    bool found = false;
    for (unsigned v = 0; v < vec_len(r->system->variables) && r->system->integers; v++)
        if (is_candidate(r, p, v)) vec_push(list, v);
    size_t n = vec_len(list) <= MOST_VARIABLES ? vec_len(list) : 0;
    for (int shift = -MOST_SHIFT; shift <= MOST_SHIFT && !found; shift++)
        for (size_t i = 0; i < n && !found; i++)
            for (size_t k = 0; k < n && !found && clock_seconds() < r->deadline; k++) {
                const Expr *a = system_expr(r->system, list[i]),
                           *b = expr_2(r->exprs, OP_ADD, system_expr(r->system, list[k]), expr_int(r->exprs, shift));
                if (i != k) found = try_pair(r, p, a, b, true) || try_pair(r, p, a, b, false);
            }
    vec_free(list);
    return found;
}
