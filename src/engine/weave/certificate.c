/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a proof by the rule `reduced` from a check with CHECK_PROVED. Covered nodes are left out. Each node has only the assertions and sleeping
   block steps that the proof needs. The search for them goes backwards. A node needs assertions that exclude its impossible steps, assertions that
   imply the needs of its targets, and assertions by which the block steps that sleep at its targets commute. */
#include "engine/weave/cover.h"

typedef struct Needs {
    Space *space;
    const Check *check;
    unsigned *place;     /* vecs; by node: its place in `nodes`, + 1; 0: the node is not used */
    unsigned *nodes;     /* the nodes in use; the root is first */
    PredicateSet *masks; /* by place: the assertions that the node needs, */
    uint64_t **sleeps;   /* the sleeping block steps that it needs, */
    unsigned **from;     /* and the places of the nodes with an edge to it */
    bool *queued;
    unsigned *work;
} Needs;

/* Returns the node that replaces a node: the end of its chain of covers. */
static unsigned uncovered(const Check *c, unsigned node) {
    while (c->nodes[node].cover != NONE) node = c->nodes[node].cover;
    return node;
}

static unsigned target_place(const Needs *n, const CheckEdge *e) { return n->place[uncovered(n->check, e->target)] - 1; }

static void add_node(Needs *n, unsigned node) {
    if (n->place[node]) return;
    vec_push(n->nodes, node);
    n->place[node] = (unsigned)vec_len(n->nodes);
}

static void find_nodes(Needs *n) {
    const Check *c = n->check;
    vec_resize(n->place, vec_len(c->nodes));
    add_node(n, uncovered(c, 0));
    for (size_t i = 0; i < vec_len(n->nodes); i++) {
        const CheckNode *node = &c->nodes[n->nodes[i]];
        for (unsigned e = 0; node->state == NODE_OPEN && e < node->nedges; e++) add_node(n, uncovered(c, c->edges[node->edges + e].target));
    }
    for (unsigned i = 0; i < vec_len(n->nodes); i++) {
        NodeState state = c->nodes[n->nodes[i]].state;
        uint64_t *sleep = NULL;
        ensure(state == NODE_OPEN || state == NODE_DEAD);
        vec_resize(sleep, set_pool_words(n->space->sleeps));
        vec_push(n->masks, (PredicateSet){0});
        vec_push(n->sleeps, sleep);
        vec_push(n->from, NULL);
        vec_push(n->queued, true);
    }
    for (unsigned i = 0; i < vec_len(n->nodes); i++) {
        const CheckNode *node = &c->nodes[n->nodes[i]];
        for (unsigned e = 0; node->state == NODE_OPEN && e < node->nedges; e++)
            vec_push(n->from[target_place(n, &c->edges[node->edges + e])], i);
    }
}

/* ---- the needs of a node ---- */

static unsigned group_of(const ControlStateSteps *place, unsigned block_step) {
    for (unsigned i = 0; i < vec_len(place->groups); i++)
        if (place->groups[i].block_step == block_step) return i;
    return NONE;
}

static bool has_edge_before(const Needs *n, const CheckNode *node, unsigned block_step, unsigned before) {
    for (unsigned e = 0; e < node->nedges; e++) {
        unsigned l = n->check->edges[node->edges + e].block_step;
        if (l == block_step) return true;
        if (l == before) return false;
    }
    return false;
}

/* Adds the assertions that exclude all steps of a group at the node. */
static void need_excluded(Needs *n, unsigned i, const Group *g) {
    const CheckNode *node = &n->check->nodes[n->nodes[i]];
    for (unsigned k = g->first; k < g->first + g->count; k++) {
        PredicateSet m = post_needs(n->space->post, space_step(n->space, node->control_state, k), node->mask, NONE);
        predicates_join(&n->masks[i], &m);
    }
}

/* Adds the needs for block step b to sleep at the target of the edge. */
static void need_asleep(Needs *n, unsigned i, const CheckEdge *e, unsigned b) {
    const CheckNode *node = &n->check->nodes[n->nodes[i]];
    const ControlStateSteps *place = space_place(n->space, node->control_state);
    unsigned group = group_of(place, b);
    PredicateSet m = space_needs(n->space, node->control_state, group_of(place, e->block_step), group, node->mask);
    predicates_join(&n->masks[i], &m);
    if (has_edge_before(n, node, b, e->block_step)) return;
    if (set_has(set_pool_get(n->space->sleeps, node->sleep), b)) set_add(n->sleeps[i], b);
    else need_excluded(n, i, &place->groups[group]);
}

/* Adds the needs for the assertions and sleeping block steps that the target of the edge needs. */
static void need_target(Needs *n, unsigned i, const CheckEdge *e) {
    const CheckNode *node = &n->check->nodes[n->nodes[i]];
    const ControlStateSteps *place = space_place(n->space, node->control_state);
    unsigned target = target_place(n, e), a;
    for (PredicateWalk w = predicates_walk(&n->masks[target]); predicates_next(&w, &a);) {
        PredicateSet m = post_needs(n->space->post, space_step(n->space, node->control_state, e->step), node->mask, a);
        predicates_join(&n->masks[i], &m);
    }
    for (size_t g = 0; g < vec_len(place->groups); g++)
        if (set_has(n->sleeps[target], place->groups[g].block_step)) need_asleep(n, i, e, place->groups[g].block_step);
}

static bool has_edge(const Needs *n, const CheckNode *node, unsigned step) {
    for (unsigned e = 0; e < node->nedges; e++)
        if (n->check->edges[node->edges + e].step == step) return true;
    return false;
}

/* Adds all needs of the node: for its sleeping block steps, its impossible steps, and its edges. */
static void need_here(Needs *n, unsigned i) {
    const CheckNode *node = &n->check->nodes[n->nodes[i]];
    const ControlStateSteps *place = space_place(n->space, node->control_state);
    const uint64_t *sleep = set_pool_get(n->space->sleeps, node->sleep);
    if (node->state == NODE_DEAD) {
        for (size_t w = 0; w < set_pool_words(n->space->sleeps); w++) n->sleeps[i][w] = sleep[w];
        return;
    }
    vec_each_at(const Group, group, place->groups) {
        if (set_has(sleep, group->block_step)) {
            set_add(n->sleeps[i], group->block_step);
            continue;
        }
        for (unsigned k = group->first; k < group->first + group->count; k++) {
            if (has_edge(n, node, k)) continue;
            PredicateSet m = post_needs(n->space->post, space_step(n->space, node->control_state, k), node->mask, NONE);
            predicates_join(&n->masks[i], &m);
        }
    }
    for (unsigned e = 0; e < node->nedges; e++) need_target(n, i, &n->check->edges[node->edges + e]);
}

static void find_needs(Needs *n) {
    for (unsigned i = 0; i < vec_len(n->nodes); i++) vec_push(n->work, i);
    while (vec_len(n->work)) {
        unsigned i = vec_pop(n->work);
        PredicateSet before = n->masks[i];
        uint64_t *slept = vec_copy(n->sleeps[i]);
        bool grown;
        n->queued[i] = false;
        need_here(n, i);
        grown = !predicates_within(&n->masks[i], &before);
        for (size_t w = 0; w < vec_len(slept); w++) grown |= n->sleeps[i][w] != slept[w];
        vec_free(slept);
        for (size_t k = 0; grown && k < vec_len(n->from[i]); k++) {
            if (n->queued[n->from[i][k]]) continue;
            n->queued[n->from[i][k]] = true;
            vec_push(n->work, n->from[i][k]);
        }
    }
}

/* ---- the proof ---- */

static ProofNode proof_node(const Needs *n, unsigned i) {
    const CheckNode *node = &n->check->nodes[n->nodes[i]];
    const System *s = n->space->system;
    const ControlState *v = control_states_get(n->space->control_states, node->control_state);
    ProofNode p = {.invariant = control_states_constants(n->space->control_states, node->control_state), .dead = node->state == NODE_DEAD};
    unsigned a;
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(p.locations, v->locations[t]);
    for (PredicateWalk w = predicates_walk(&n->masks[i]); predicates_next(&w, &a);)
        p.invariant = expr_and(s->exprs, p.invariant, post_predicate(n->space->post, a));
    for (unsigned l = 0; l < vec_len(n->space->block_steps->list); l++)
        if (set_has(n->sleeps[i], l)) vec_push(p.sleep, l);
    for (unsigned e = 0; !p.dead && e < node->nedges; e++) {
        const CheckEdge *edge = &n->check->edges[node->edges + e];
        vec_push(p.edges, ((ProofEdge){edge->block_step, target_place(n, edge)}));
    }
    return p;
}

/* Returns the only node of the proof if no initial state is possible. */
static ProofNode impossible(const Space *space) {
    const ControlState *v = control_states_get(space->control_states, 0);
    ProofNode p = {.invariant = expr_bool(space->system->exprs, false)};
    for (size_t t = 0; t < vec_len(space->system->threads); t++) vec_push(p.locations, v->locations[t]);
    return p;
}

void certificate_add(Proof *proof, Space *space, const Check *check) {
    Needs n = {.space = space, .check = check};
    block_steps_in_proof(space->block_steps, proof);
    if (!vec_len(check->nodes)) {
        vec_push(proof->nodes, impossible(space));
        return;
    }
    find_nodes(&n);
    find_needs(&n);
    for (unsigned i = 0; i < vec_len(n.nodes); i++) vec_push(proof->nodes, proof_node(&n, i));
    for (size_t i = 0; i < vec_len(n.nodes); i++) {
        vec_free(n.sleeps[i]);
        vec_free(n.from[i]);
    }
    vec_free(n.place);
    vec_free(n.nodes);
    vec_free(n.masks);
    vec_free(n.sleeps);
    vec_free(n.from);
    vec_free(n.queued);
    vec_free(n.work);
}
