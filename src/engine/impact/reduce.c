/* SPDX-License-Identifier: Apache-2.0 */
/* Computes sleep sets for partial order reduction. After a block step a, a block step b of another thread sleeps under two conditions. First, b
   commutes with a. Second, b need not be explored after a: it already sleeps at the node, its edges come before those of a, or it is impossible at
   the node. The paper's monotonic paths (Definition 4.3) are the special case in which only threads before a's thread are put to sleep.

   Four methods in turn decide whether block steps commute:
   - their access sets;
   - the solver, with the values of the control state;
   - the solver, with the node's label;
   - for accesses of one array, interpolation of the path. The labels of its nodes get the reason why indices differ (conditional dependence). */
#include "engine/impact/art.h"

enum { EXCHANGE_MS = 500 };
typedef enum Exchange { EXCHANGE_NEVER, EXCHANGE_ALWAYS, EXCHANGE_DEPENDS } Exchange;

static uint64_t triple(const Art *a, uint64_t x, unsigned first, unsigned second) {
    uint64_t n = vec_len(a->block_steps->list);
    return (x * n + first) * n + second;
}

static Exchange exchange_at(Art *a, unsigned control_state, unsigned first, unsigned second) {
    ensure(first < vec_len(a->block_steps->list) && second < vec_len(a->block_steps->list));
    uint64_t key = triple(a, control_state, first, second), known;
    if (map_get(a->exchanges, key, &known)) return (Exchange)known;
    const Expr *condition = control_states_swap(a->control_states, control_state, first, second);
    bool static_only = a->task->options.impact_por == IMPACT_POR_STATIC;
    Exchange e = EXCHANGE_DEPENDS;
    if (expr_is_true(condition)) e = EXCHANGE_ALWAYS;
    else if (expr_is_false(condition)) e = EXCHANGE_NEVER;
    if (static_only && !block_steps_disjoint(&a->block_steps->list[first], &a->block_steps->list[second])) e = EXCHANGE_NEVER;
    if (e == EXCHANGE_DEPENDS && smt_is_valid(a->smt, a->system->exprs, EXCHANGE_MS, condition)) e = EXCHANGE_ALWAYS;
    map_put(a->exchanges, key, e);
    return e;
}

/* Returns true if the block steps conflict only in arrays, so that the conflict depends on indices. */
static bool meet_in_arrays(const Art *a, const BlockStep *x, const BlockStep *y) {
    bool some = false;
    for (unsigned side = 0; side < 2; side++) {
        const unsigned *writes = side ? y->writes : x->writes, *others[] = {side ? x->reads : y->reads, side ? x->writes : y->writes};
        for (size_t i = 0; i < vec_len(writes); i++)
            for (unsigned k = 0; k < 2; k++)
                for (size_t j = 0; j < vec_len(others[k]); j++) {
                    if (writes[i] != others[k][j]) continue;
                    if (a->system->variables[writes[i]].symbol->sort->kind != SORT_ARRAY) return false;
                    some = true;
                }
    }
    return some;
}

/* Returns true if the block steps commute at the node because of the path to it. Strengthens labels with the reason. */
static bool exchange_on_path(Art *a, unsigned node, unsigned first, unsigned second, const Expr *condition) {
    uint64_t key = triple(a, node, first, second), asked;
    if (!meet_in_arrays(a, &a->block_steps->list[first], &a->block_steps->list[second]) || map_get(a->conditional, key, &asked))
        return false;
    map_put(a->conditional, key, 1);
    unsigned *path = art_path(a, 0, node);
    bool yes = art_interpolate(a, art_initially(a), path, expr_not(a->system->exprs, condition), NULL) == PATH_IMPOSSIBLE;
    a->task->stats->conditional += yes;
    vec_free(path);
    return yes;
}

static bool may_exchange(Art *a, unsigned node, unsigned first, unsigned second) {
    Exchange e = exchange_at(a, a->nodes[node].control_state, first, second);
    if (e != EXCHANGE_DEPENDS) return e == EXCHANGE_ALWAYS;
    const Expr *condition = control_states_swap(a->control_states, a->nodes[node].control_state, first, second);
    if (vec_len(a->nodes[node].label) && art_excludes(a, a->nodes[node].conjunction, expr_not(a->system->exprs, condition))) return true;
    return exchange_on_path(a, node, first, second, condition);
}

/* Returns true if the values of the control state do not exclude the block step. */
static bool is_possible(Art *a, unsigned control_state, unsigned block_step) {
    const ControlStep *steps = control_states_next(a->control_states, control_state);
    for (size_t i = 0; i < vec_len(steps); i++)
        if (steps[i].block_step == block_step) return true;
    return false;
}

/* Adds the block step `other` to the sleep set after `block_step` if it may sleep there. */
static void put_to_sleep(Art *a, unsigned node, unsigned block_step, unsigned other, const uint64_t *before, uint64_t *sleep) {
    const ArtNode *n = &a->nodes[node];
    const BlockStep *l = &a->block_steps->list[block_step], *o = &a->block_steps->list[other];
    bool all = a->task->options.impact_por == IMPACT_POR_SLEEP;
    if (!all && o->thread > l->thread) return;
    if (!art_has(n->sleep, other) && !art_has(before, other) && is_possible(a, n->control_state, other)) return;
    if (may_exchange(a, node, block_step, other)) art_put(sleep, other);
}

void reduce_sleep(Art *a, unsigned node, unsigned block_step, const uint64_t *before, uint64_t *sleep) {
    ensure(node < vec_len(a->nodes) && block_step < vec_len(a->block_steps->list));
    const unsigned *locations = control_states_get(a->control_states, a->nodes[node].control_state)->locations;
    ImpactPor por = a->task->options.impact_por;
    if (por == IMPACT_POR_NONE) return;
    /* Monotonic paths need the paper's condition on loops; sleep sets do not (doc/rules.md). */
    if (por != IMPACT_POR_SLEEP && a->back[block_step]) return;
    for (unsigned t = 0; t < vec_len(a->system->threads); t++) {
        if (t == a->block_steps->list[block_step].thread) continue;
        const unsigned *from = a->block_steps->starting_at[t][locations[t]];
        for (size_t i = 0; i < vec_len(from); i++) put_to_sleep(a, node, block_step, from[i], before, sleep);
    }
}
