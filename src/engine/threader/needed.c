/* SPDX-License-Identifier: Apache-2.0 */
/* Removes from the fixpoint what the proof does not need, so that the proof is shorter, quicker to check and readable.

   Abstract states have all predicates that hold, but the proof needs fewer. A forward pass finds the nodes and environment transitions
   that are reachable from the starts, where a weaker node stands for the nodes that it covers. A backward pass then finds the needed
   predicates by unsatisfiable cores. Predicates are needed to exclude impossible steps, in particular those to errors, and to make a
   needed predicate hold after a step. At last, nodes that a weaker one covers are removed. */
#include "base/clock.h"
#include "engine/threader/aret.h"

enum { MOST_EDGES = 400000 };

/* An edge from a node to a node or an environment transition. */
typedef struct Edge {
    unsigned source;     /* a node */
    unsigned block_step; /* a block step of its thread, or NONE */
    unsigned env;        /* an environment transition, or NONE */
    unsigned next;       /* the next edge to the same item, or NONE */
} Edge;

typedef struct Item { /* a node or an environment transition */
    bool reached;
    unsigned edges;            /* the first edge that leads here, or NONE */
    PredicateSet needs, fresh; /* the needed predicates, and the part that is not propagated along the edges yet */
    bool waits;                /* it is in the queue */
} Item;

typedef struct Needed {
    Aret *aret;
    Abstraction *abstraction;
    double deadline;
    Item *nodes, *envs;
    unsigned *queue;                        /* a vec: the number of a node, or the number of nodes + that of an environment transition */
    unsigned *reached_nodes, *reached_envs; /* vecs, in the order in which they were reached */
    Edge *edges;
    bool lost; /* a second answer of the solver was weaker than the first: the fixpoint is not changed */
} Needed;

static PredicateSet predicates_of(const Needed *n, unsigned mask) { return *post_predicate_set(n->abstraction->post, mask); }

/* ---- reachability ---- */

static bool must_give_up(const Needed *n) { return n->lost || clock_seconds() > n->deadline || vec_len(n->edges) > MOST_EDGES; }

/* Returns a node that stands for states with this mask, preferably one that is reached already; NONE if no node does. */
static unsigned standing_for(const Needed *n, unsigned thread, unsigned location, unsigned mask) {
    const unsigned *list = n->aret->by_place[thread][location];
    PredicateSet all = predicates_of(n, mask);
    unsigned found = NONE;
    for (size_t i = 0; i < vec_len(list); i++) {
        const Node *c = &n->aret->nodes[list[i]];
        PredicateSet own = predicates_of(n, c->mask);
        if (c->covered || !predicates_within(&own, &all)) continue;
        if (n->nodes[list[i]].reached) return list[i];
        if (found == NONE) found = list[i];
    }
    return found;
}

static unsigned env_standing_for(const Needed *n, unsigned block_step, unsigned cube) {
    PredicateSet all = predicates_of(n, cube);
    unsigned found = NONE;
    for (unsigned i = 0; i < vec_len(n->aret->envs); i++) {
        PredicateSet own = predicates_of(n, n->aret->envs[i].cube);
        if (n->aret->envs[i].covered || !predicates_within(&own, &all) || !aret_writes_the_same(n->aret, i, block_step)) continue;
        if (n->envs[i].reached) return i;
        if (found == NONE) found = i;
    }
    return found;
}

static void add_edge(Needed *n, Item *to, Edge e) {
    e.next = to->edges;
    to->edges = (unsigned)vec_len(n->edges);
    vec_push(n->edges, e);
}

static void reach_node(Needed *n, unsigned node, Edge e) {
    n->lost |= node == NONE;
    if (node == NONE) return;
    if (e.source != NONE) add_edge(n, &n->nodes[node], e);
    if (n->nodes[node].reached) return;
    n->nodes[node].reached = true;
    vec_push(n->reached_nodes, node);
}

static void reach_env(Needed *n, unsigned env, Edge e) {
    n->lost |= env == NONE;
    if (env == NONE) return;
    add_edge(n, &n->envs[env], e);
    if (n->envs[env].reached) return;
    n->envs[env].reached = true;
    vec_push(n->reached_envs, env);
}

/* ---- needed predicates ---- */

static void need(Needed *n, bool env, unsigned index, const PredicateSet *these) {
    Item *item = env ? &n->envs[index] : &n->nodes[index];
    for (unsigned w = 0; w < PREDICATE_WORDS; w++) {
        uint64_t more = these->word[w] & ~item->needs.word[w];
        item->needs.word[w] |= more;
        item->fresh.word[w] |= more;
        if (!more || item->waits) continue;
        item->waits = true;
        vec_push(n->queue, env ? (unsigned)vec_len(n->nodes) + index : index);
    }
}

/* Adds the predicates of the node that make the assertion hold after the step. If the assertion is NONE, they exclude the step. */
static void need_before(Needed *n, unsigned node, unsigned step, unsigned assertion) {
    PredicateSet core = post_needs(n->abstraction->post, step, n->aret->nodes[node].mask, assertion);
    need(n, false, node, &core);
}

static void need_before_env(Needed *n, unsigned node, unsigned env, unsigned assertion) {
    const Node *at = &n->aret->nodes[node];
    const EnvTransition *e = &n->aret->envs[env];
    PredicateSet held, said;
    aret_needs(n->aret, at->mask, e->cube, e->block_step, at->thread, at->location, assertion, &held, &said);
    need(n, false, node, &held);
    need(n, true, env, &said);
}

/* ---- steps ---- */

static void follow_block_step(Needed *n, unsigned node, unsigned block_step) {
    Abstraction *a = n->abstraction;
    const BlockStep *l = &a->block_steps->list[block_step];
    Node at = n->aret->nodes[node];
    unsigned mask = abstraction_after(a, a->own[block_step], at.mask, &a->predicates[at.thread][l->step.target]);
    if (mask == NEVER) {
        need_before(n, node, a->own[block_step], NONE);
        return;
    }
    reach_node(n, standing_for(n, at.thread, l->step.target, mask), (Edge){.source = node, .block_step = block_step, .env = NONE});
    if (!aret_is_noticed(a, l)) return;
    unsigned cube = abstraction_after(a, a->relational[block_step], at.mask, &a->relations[at.thread]);
    if (cube == NEVER) need_before(n, node, a->relational[block_step], NONE);
    else reach_env(n, env_standing_for(n, block_step, cube), (Edge){.source = node, .block_step = block_step, .env = NONE});
}

static void follow_env(Needed *n, unsigned node, unsigned env) {
    Abstraction *a = n->abstraction;
    Node at = n->aret->nodes[node];
    const EnvTransition *e = &n->aret->envs[env];
    if (!aret_may_apply(n->aret, node, env) || !aret_touches(n->aret, node, env)) return;
    unsigned mask = aret_apply(n->aret, at.mask, e->cube, e->block_step, at.thread, at.location, &a->predicates[at.thread][at.location]);
    if (mask == NEVER) need_before_env(n, node, env, NONE);
    else reach_node(n, standing_for(n, at.thread, at.location, mask), (Edge){.source = node, .block_step = NONE, .env = env});
}

static void start(Needed *n) {
    Abstraction *a = n->abstraction;
    const System *s = a->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (system_first_instance(s, t) != t) continue;
        unsigned mask = abstraction_after(a, a->start[t], 0, &a->predicates[t][s->threads[t].entry]);
        if (mask != NEVER) reach_node(n, standing_for(n, t, s->threads[t].entry, mask), (Edge){.source = NONE});
    }
}

/* Reaches all nodes and environment transitions. Each pair of a node and an environment transition is tried once. */
static void reach_all(Needed *n) {
    size_t nodes = 0, envs = 0;
    start(n);
    while ((nodes < vec_len(n->reached_nodes) || envs < vec_len(n->reached_envs)) && !must_give_up(n)) {
        if (nodes < vec_len(n->reached_nodes)) {
            unsigned node = n->reached_nodes[nodes++];
            const unsigned *from = n->abstraction->block_steps->starting_at[n->aret->nodes[node].thread][n->aret->nodes[node].location];
            for (size_t i = 0; i < vec_len(from); i++) follow_block_step(n, node, from[i]);
            for (size_t i = 0; i < envs; i++) follow_env(n, node, n->reached_envs[i]);
        } else {
            unsigned env = n->reached_envs[envs++];
            for (size_t i = 0; i < nodes; i++) follow_env(n, n->reached_nodes[i], env);
        }
    }
}

/* ---- backward ---- */

static void need_edge(Needed *n, const Edge *e, bool to_env, unsigned assertion) {
    const Abstraction *a = n->abstraction;
    if (e->env != NONE) need_before_env(n, e->source, e->env, assertion);
    else need_before(n, e->source, to_env ? a->relational[e->block_step] : a->own[e->block_step], assertion);
}

static void need_all(Needed *n) {
    while (vec_len(n->queue) && !must_give_up(n)) {
        unsigned number = vec_pop(n->queue), i;
        bool env = number >= vec_len(n->nodes);
        Item *item = env ? &n->envs[number - vec_len(n->nodes)] : &n->nodes[number];
        PredicateSet fresh = item->fresh;
        item->fresh = (PredicateSet){0};
        item->waits = false;
        for (unsigned e = item->edges; e != NONE; e = n->edges[e].next)
            for (PredicateWalk w = predicates_walk(&fresh); predicates_next(&w, &i);) need_edge(n, &n->edges[e], env, i);
    }
}

/* ---- the result ---- */

static void keep_needed(Needed *n) {
    Aret *r = n->aret;
    for (size_t i = 0; i < vec_len(r->nodes); i++) {
        r->nodes[i].covered = !n->nodes[i].reached;
        if (n->nodes[i].reached) r->nodes[i].mask = post_intern_set(n->abstraction->post, &n->nodes[i].needs);
    }
    for (size_t i = 0; i < vec_len(r->envs); i++) {
        r->envs[i].covered = !n->envs[i].reached;
        if (n->envs[i].reached) r->envs[i].cube = post_intern_set(n->abstraction->post, &n->envs[i].needs);
    }
    aret_cover(r);
}

void aret_keep_needed(Aret *r, double deadline) {
    Needed n = {.aret = r, .abstraction = r->abstraction, .deadline = deadline};
    vec_resize(n.nodes, vec_len(r->nodes));
    vec_resize(n.envs, vec_len(r->envs));
    for (size_t i = 0; i < vec_len(n.nodes); i++) n.nodes[i].edges = NONE;
    for (size_t i = 0; i < vec_len(n.envs); i++) n.envs[i].edges = NONE;
    reach_all(&n);
    if (!must_give_up(&n)) need_all(&n);
    if (!must_give_up(&n)) keep_needed(&n);
    vec_free(n.nodes);
    vec_free(n.envs);
    vec_free(n.queue);
    vec_free(n.reached_nodes);
    vec_free(n.reached_envs);
    vec_free(n.edges);
}
