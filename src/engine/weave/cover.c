/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether the assertions prove a reduction of the program (Farzan and Vandikas, "Reductions for Safety Proofs", POPL 2020, Section 8).

   A node is a control state, the assertions that hold there (a mask), and the block steps asleep there. A node explores its block steps in some
   order. After a block step a, a block step b sleeps if it commutes with a under the mask, and was asleep before or explored earlier. Every choice of
   orders gives a reduction: a representative of each class of equivalent executions remains.

   A node is bad for an order if it leads to an error. Invariant: with fewer assertions, or fewer sleeping block steps, a bad node remains bad. So a
   node that has more of both than another node is covered by that node, and is not explored. A bad set B of block steps at a control state with a
   mask means: if no block step of B sleeps, every order leads to an error.

   With one fixed order, the first bad node ends the search. With all orders, each node chooses its order greedily. The next block step is one that
   has no target that is known to be bad. The more block steps come before it, the more block steps sleep at its targets, so a block step that was
   postponed may become possible later. If no block step is possible, the remaining block steps are a bad set. By the lemma of Section 8.3, no order
   has to be enumerated. The set is made as small as possible, and every node that relied on the bad node chooses again.

   Deviation: the paper first computes all maximal sets of sleeping block steps for all nodes (Section 8.2). We compute them only for nodes to which
   the present choices lead. */
#include "engine/weave/cover.h"
#include "base/clock.h"
#include <string.h>

enum { MAX_NODES = 3000000 };

/* A list of the nodes that depend on a node has these entries; next is an index + 1. */
typedef struct User {
    unsigned node, next;
} User;

/* For a block step of a bad set, this step leads to an error. */
typedef struct BadStep {
    unsigned step, then; /* `then` is a bad set at its target; NONE: the step itself is an error */
} BadStep;

typedef struct Bad {
    unsigned mask, block_steps; /* a set */
    unsigned first, count;      /* its steps */
    unsigned next;              /* of the same control state, + 1 */
} Bad;

typedef struct Search {
    Space *space;
    const Order *order;
    bool all;
    Check result;
    User *users;
    Bad *bads;
    BadStep *bad_steps;
    unsigned *node_heads, *bad_heads; /* vecs, by control state: the first, + 1 */
    unsigned *queue, *again;          /* vecs of nodes: to be explored; to be explored once more, before those of `queue` */
    size_t next;                      /* in `queue` */
    uint64_t *placed; /* a set: the block steps of the present node that come before the next one, or sleep, or are impossible */
    uint64_t *below;  /* a set: the block steps that sleep at the target */
} Search;

/* ---- orders ---- */

unsigned *check_preference(Space *p, const Order *o, OrderState turn, unsigned control_state) {
    const ControlStateSteps *place = space_place(p, control_state);
    unsigned ranks[MAX_THREADS], *list = NULL;
    order_ranks(o, turn, ranks);
    for (unsigned i = 0; i < vec_len(place->groups); i++) {
        vec_push(list, i);
        for (size_t k = vec_len(list) - 1; k && ranks[place->groups[list[k - 1]].thread] > ranks[place->groups[list[k]].thread]; k--) {
            unsigned swap = list[k - 1];
            list[k - 1] = list[k];
            list[k] = swap;
        }
    }
    return list;
}

/* Returns the state of the order after a step. */
static OrderState check_turn(Space *p, const Order *o, OrderState turn, unsigned control_state, unsigned step) {
    const ControlStep *s = &space_place(p, control_state)->steps[step];
    const BlockStep *l = &p->block_steps->list[s->block_step];
    const SystemLocation *at = &p->system->threads[l->thread].locations[l->step.target];
    return order_next(o, turn, l->thread, at->loop_head || !vec_len(at->out), space_place(p, s->target)->threads);
}

/* ---- nodes ---- */

static unsigned *head_of(unsigned **heads, unsigned control_state) {
    if (vec_len(*heads) <= control_state) vec_resize(*heads, control_state + 1000);
    return &(*heads)[control_state];
}

/* Records that `user` depends on `node`. */
static void use(Search *s, unsigned node, unsigned user) {
    vec_push(s->users, ((User){user, s->result.nodes[node].users}));
    s->result.nodes[node].users = (unsigned)vec_len(s->users);
}

static bool masks_within(const Search *s, unsigned a, unsigned b) {
    return a == b || predicates_within(post_predicate_set(s->space->post, a), post_predicate_set(s->space->post, b));
}

static bool sleeps_within(const Search *s, unsigned a, unsigned b) { return a == b || set_pool_within(s->space->sleeps, a, b); }

/* Returns true if a covers b: a proof from a is a proof from b. */
static bool covers(const Search *s, const CheckNode *a, const CheckNode *b) {
    return a->turn == b->turn && masks_within(s, a->mask, b->mask) && sleeps_within(s, a->sleep, b->sleep);
}

static unsigned add_node(Search *s, const CheckNode *n) {
    unsigned *link = head_of(&s->node_heads, n->control_state), index = (unsigned)vec_len(s->result.nodes);
    vec_push(s->result.nodes, *n);
    vec_last(s->result.nodes).queued = true;
    vec_push(s->queue, index);
    /* The nodes that it covers are removed from the list, so that node_for does not find them. */
    while (*link) {
        CheckNode *old = &s->result.nodes[*link - 1];
        if (!covers(s, n, old)) {
            link = &old->chain;
            continue;
        }
        if (old->state == NODE_NEW) {
            old->cover = index;
            use(s, index, *link - 1);
        }
        *link = old->chain;
    }
    unsigned *head = head_of(&s->node_heads, n->control_state);
    s->result.nodes[index].chain = *head;
    *head = index + 1;
    return index;
}

/* Returns a node that covers n, or adds n. */
static unsigned node_for(Search *s, const CheckNode *n) {
    for (unsigned i = *head_of(&s->node_heads, n->control_state); i; i = s->result.nodes[i - 1].chain) {
        CheckNode *old = &s->result.nodes[i - 1];
        if (old->state == NODE_BAD || !covers(s, old, n)) continue;
        if (old->state == NODE_NEW && !old->queued) { /* no node had needed it when it was taken from the queue */
            old->queued = true;
            vec_push(s->queue, i - 1);
        }
        return i - 1;
    }
    return add_node(s, n);
}

/* ---- bad sets ---- */

/* Returns a known bad set for a node with these sleeping block steps, or NONE. */
static unsigned find_bad(Search *s, unsigned control_state, unsigned mask, const uint64_t *sleep) {
    const SetPool *sleeps = s->space->sleeps;
    for (unsigned i = *head_of(&s->bad_heads, control_state); i; i = s->bads[i - 1].next) {
        const uint64_t *block_steps = set_pool_get(sleeps, s->bads[i - 1].block_steps);
        uint64_t both = 0;
        for (size_t w = 0; w < set_pool_words(sleeps); w++) both |= block_steps[w] & sleep[w];
        if (!both && masks_within(s, mask, s->bads[i - 1].mask)) return i - 1;
    }
    return NONE;
}

/* Adds a bad set for the node, and queues the nodes that depend on it. */
static void add_bad(Search *s, unsigned node, const uint64_t *block_steps, const BadStep *steps) {
    CheckNode *n = &s->result.nodes[node];
    unsigned *head = head_of(&s->bad_heads, n->control_state);
    Bad b = {n->mask, set_pool_intern(s->space->sleeps, block_steps), (unsigned)vec_len(s->bad_steps), (unsigned)vec_len(steps), *head};
    vec_append(s->bad_steps, steps);
    vec_push(s->bads, b);
    *head = (unsigned)vec_len(s->bads);
    n->state = NODE_BAD;
    for (unsigned u = n->users; u; u = s->users[u - 1].next) {
        CheckNode *user = &s->result.nodes[s->users[u - 1].node];
        if (user->state == NODE_BAD || user->queued) continue;
        user->queued = true;
        vec_push(s->again, s->users[u - 1].node);
    }
}

/* ---- expanding a node ---- */

/* Sets s->below to the placed block steps that commute with the group and have a step at the target. */
static void sleeping_below(Search *s, const CheckNode *n, unsigned group, unsigned target) {
    const ControlStateSteps *place = space_place(s->space, n->control_state), *next = space_place(s->space, target);
    memset(s->below, 0, set_pool_words(s->space->sleeps) * sizeof *s->below);
    for (unsigned i = 0; i < vec_len(place->groups); i++) {
        unsigned block_step = place->groups[i].block_step;
        if (i != group && set_has(s->placed, block_step) && set_has(next->block_steps, block_step) &&
            space_commute(s->space, n->control_state, group, i, n->mask))
            set_add(s->below, block_step);
    }
}

/* Returns true if some step of the group is known to lead to an error after the placed block steps; *found is this step. */
static bool find_bad_step(Search *s, const CheckNode *n, unsigned group, BadStep *found) {
    const ControlStateSteps *place = space_place(s->space, n->control_state);
    const Group *g = &place->groups[group];
    for (unsigned i = g->first; i < g->first + g->count; i++) {
        unsigned target = place->steps[i].target, after = target == NONE ? NEVER : space_after(s->space, n->control_state, i, n->mask);
        if (after == NEVER) continue;
        sleeping_below(s, n, group, target);
        *found = (BadStep){i, find_bad(s, target, after, s->below)};
        if (found->then != NONE) return true;
    }
    return false;
}

/* Makes the group the next one in the node's order, and adds edges for its steps. */
static void place_group(Search *s, unsigned node, unsigned group) {
    const CheckNode n = s->result.nodes[node];
    const ControlStateSteps *place = space_place(s->space, n.control_state);
    const Group *g = &place->groups[group];
    for (unsigned i = g->first; i < g->first + g->count; i++) {
        unsigned target = place->steps[i].target, after = target == NONE ? NEVER : space_after(s->space, n.control_state, i, n.mask);
        if (after == NEVER) continue;
        sleeping_below(s, &n, group, target);
        CheckNode next = {.control_state = target,
                          .mask = after,
                          .sleep = set_pool_intern(s->space->sleeps, s->below),
                          .turn = check_turn(s->space, s->order, n.turn, n.control_state, i),
                          .parent = node,
                          .step = i,
                          .cover = NONE};
        unsigned to = node_for(s, &next);
        if (s->all) use(s, to, node);
        vec_push(s->result.edges, ((CheckEdge){g->block_step, i, to}));
        s->result.nodes[node].nedges++;
    }
    set_add(s->placed, g->block_step);
}

/* Sets s->below to the block steps of the groups, and returns it. */
static const uint64_t *block_steps_of(Search *s, const ControlStateSteps *place, const unsigned *groups) {
    memset(s->below, 0, set_pool_words(s->space->sleeps) * sizeof *s->below);
    for (size_t i = 0; i < vec_len(groups); i++) set_add(s->below, place->groups[groups[i]].block_step);
    return s->below;
}

/* Returns true if each of the groups is known to lead to an error when all other groups of the node are placed before. *steps has their bad steps. */
static bool all_bad(Search *s, const CheckNode *n, const unsigned *groups, BadStep **steps) {
    const ControlStateSteps *place = space_place(s->space, n->control_state);
    memset(s->placed, 0, set_pool_words(s->space->sleeps) * sizeof *s->placed);
    for (size_t i = 0; i < vec_len(place->groups); i++) set_add(s->placed, place->groups[i].block_step);
    for (size_t i = 0; i < vec_len(groups); i++) {
        unsigned block_step = place->groups[groups[i]].block_step;
        s->placed[block_step / 64] &= ~((uint64_t)1 << block_step % 64);
    }
    vec_clear(*steps);
    for (size_t i = 0; i < vec_len(groups); i++) {
        BadStep b;
        if (!find_bad_step(s, n, groups[i], &b)) return false;
        vec_push(*steps, b);
    }
    return true;
}

/* Makes the node bad, since each of the groups that are left leads to an error. Removes groups from the bad set as long as it remains bad: a smaller
   bad set applies to more nodes. */
static void no_order(Search *s, unsigned node, unsigned *left) {
    const CheckNode n = s->result.nodes[node];
    BadStep *steps = NULL, *fewer = NULL;
    all_bad(s, &n, left, &steps);
    for (size_t i = 0; i < vec_len(left) && vec_len(left) > 1;) {
        unsigned *without = NULL;
        for (size_t k = 0; k < vec_len(left); k++)
            if (k != i) vec_push(without, left[k]);
        if (all_bad(s, &n, without, &fewer)) {
            vec_clear(left);
            vec_append(left, without);
            vec_clear(steps);
            vec_append(steps, fewer);
        } else {
            i++;
        }
        vec_free(without);
    }
    add_bad(s, node, block_steps_of(s, space_place(s->space, n.control_state), left), steps);
    vec_free(steps);
    vec_free(fewer);
}

/* Returns true, and makes the node bad, if a step to an error is possible at the node and does not sleep. */
static bool has_error(Search *s, unsigned node) {
    const CheckNode n = s->result.nodes[node];
    const ControlStateSteps *place = space_place(s->space, n.control_state);
    for (unsigned g = 0; g < vec_len(place->groups); g++)
        for (unsigned i = place->groups[g].first; i < place->groups[g].first + place->groups[g].count; i++) {
            if (place->steps[i].target != NONE || set_has(set_pool_get(s->space->sleeps, n.sleep), place->groups[g].block_step)) continue;
            if (post_excludes(s->space->post, space_step(s->space, n.control_state, i), n.mask)) continue;
            unsigned *groups = NULL;
            BadStep *steps = NULL;
            vec_push(groups, g);
            vec_push(steps, ((BadStep){i, NONE}));
            add_bad(s, node, block_steps_of(s, place, groups), steps);
            vec_free(groups);
            vec_free(steps);
            return true;
        }
    return false;
}

/* Returns the groups that the node must place, in the order of preference. Sets s->placed to all other block steps: they sleep or are impossible. */
static unsigned *groups_to_place(Search *s, unsigned node) {
    const CheckNode n = s->result.nodes[node];
    const ControlStateSteps *place = space_place(s->space, n.control_state);
    unsigned *preferred = check_preference(s->space, s->order, n.turn, n.control_state), *left = NULL;
    if (s->placed) memcpy(s->placed, set_pool_get(s->space->sleeps, n.sleep), set_pool_words(s->space->sleeps) * sizeof *s->placed);
    for (size_t i = 0; i < vec_len(preferred); i++) {
        const Group *g = &place->groups[preferred[i]];
        if (set_has(s->placed, g->block_step)) continue;
        bool possible = false;
        for (unsigned k = g->first; k < g->first + g->count; k++)
            possible |= place->steps[k].target != NONE && space_after(s->space, n.control_state, k, n.mask) != NEVER;
        if (possible) vec_push(left, preferred[i]);
    }
    /* not in the loop above, where s->placed must have only the sleeping block steps */
    for (size_t i = 0; i < vec_len(place->groups); i++) {
        bool is_left = false;
        for (size_t k = 0; k < vec_len(left); k++) is_left |= left[k] == i;
        if (!is_left) set_add(s->placed, place->groups[i].block_step);
    }
    vec_free(preferred);
    return left;
}

static void expand(Search *s, unsigned node) {
    unsigned *left = groups_to_place(s, node);
    s->result.nodes[node].edges = (unsigned)vec_len(s->result.edges);
    s->result.nodes[node].nedges = 0;
    while (vec_len(left)) {
        size_t i = 0;
        BadStep b;
        while (s->all && i < vec_len(left) && find_bad_step(s, &s->result.nodes[node], left[i], &b)) i++;
        if (i == vec_len(left)) break;
        place_group(s, node, left[i]);
        memmove(left + i, left + i + 1, (vec_len(left) - i - 1) * sizeof *left);
        (void)vec_pop(left);
    }
    if (vec_len(left)) no_order(s, node, left);
    vec_free(left);
}

/* Returns true if the present choice of some node leads to this node. */
static bool is_needed(const Search *s, unsigned node) {
    if (!node || !s->all) return true;
    for (unsigned u = s->result.nodes[node].users; u; u = s->users[u - 1].next) {
        const CheckNode *user = &s->result.nodes[s->users[u - 1].node];
        if (user->state == NODE_BAD) continue;
        if (user->cover == node) return true;
        for (unsigned e = 0; e < user->nedges; e++)
            if (s->result.edges[user->edges + e].target == node) return true;
    }
    return false;
}

static void explore(Search *s, unsigned node) {
    CheckNode *n = &s->result.nodes[node];
    n->queued = false;
    if (n->state == NODE_BAD || n->state == NODE_DEAD) return;
    if (n->cover != NONE && s->result.nodes[n->cover].state != NODE_BAD) return;
    n->cover = NONE;
    n->state = is_needed(s, node) ? NODE_OPEN : NODE_NEW;
    if (n->state == NODE_NEW) return;
    if (has_error(s, node)) return;
    if (space_dead(s->space, n->control_state, n->sleep)) n->state = NODE_DEAD;
    else expand(s, node);
}

/* ---- the path to an error ---- */

/* Records the path to the bad node, by the nodes from which each node was first reached. */
static void trace_by_parents(Search *s, unsigned node) {
    unsigned *path = NULL, step = s->bad_steps[s->bads[0].first].step;
    for (unsigned n = node; n != NONE; n = s->result.nodes[n].parent) vec_push(path, n);
    while (vec_len(path)) {
        const CheckNode *n = &s->result.nodes[vec_pop(path)];
        vec_push(s->result.trace,
                 ((TracePoint){n->control_state, n->mask, n->sleep, n->turn, vec_len(path) ? s->result.nodes[vec_last(path)].step : step}));
    }
    vec_free(path);
}

/* Returns the step of the bad set that comes first in the order of preference. */
static const BadStep *preferred_step(Search *s, const Bad *b, const TracePoint *at) {
    const ControlStateSteps *place = space_place(s->space, at->control_state);
    unsigned *preferred = check_preference(s->space, s->order, at->turn, at->control_state);
    const BadStep *best = NULL;
    for (size_t i = 0; i < vec_len(preferred) && !best; i++)
        for (unsigned k = 0; k < b->count && !best; k++)
            if (place->steps[s->bad_steps[b->first + k].step].block_step == place->groups[preferred[i]].block_step)
                best = &s->bad_steps[b->first + k];
    vec_free(preferred);
    return best;
}

/* Records a path from the root to an error: at each point, a step of a bad set leads to the next bad set. */
static void trace_by_bad_sets(Search *s) {
    TracePoint at = {0};
    const CheckNode *root = &s->result.nodes[0];
    unsigned bad = find_bad(s, root->control_state, root->mask, set_pool_get(s->space->sleeps, 0));
    at.control_state = root->control_state;
    at.mask = root->mask;
    for (;;) {
        const BadStep *b = preferred_step(s, &s->bads[bad], &at);
        at.step = b->step;
        vec_push(s->result.trace, at);
        if (b->then == NONE) return;
        bad = b->then;
        at.turn = check_turn(s->space, s->order, at.turn, at.control_state, at.step);
        at.mask = space_after(s->space, at.control_state, at.step, at.mask);
        at.control_state = space_place(s->space, at.control_state)->steps[at.step].target;
    }
}

/* ---- the search ---- */

static unsigned next_node(Search *s) {
    if (vec_len(s->again)) return vec_pop(s->again);
    return s->next < vec_len(s->queue) ? s->queue[s->next++] : NONE;
}

static CheckAnswer search(Search *s, CheckLimits limits) {
    for (unsigned n; (n = next_node(s)) != NONE;) {
        if (vec_len(s->result.nodes) > MAX_NODES) return CHECK_GAVE_UP;
        if (clock_seconds() > limits.deadline || clock_processor() > limits.processor) return CHECK_INTERRUPTED;
        explore(s, n);
        if (s->all && s->result.nodes[0].state == NODE_BAD) {
            trace_by_bad_sets(s);
            return CHECK_FAILED;
        }
        if (!s->all && s->result.nodes[n].state == NODE_BAD) {
            trace_by_parents(s, n);
            return CHECK_FAILED;
        }
    }
    return CHECK_PROVED;
}

Check check_proof(Space *p, const Order *order, bool all, CheckLimits limits) {
    Search s = {.space = p, .order = order, .all = all};
    unsigned initially = post_add_step(p->post, control_states_initially(p->control_states), NULL), mask = space_follow(p, initially, 0);
    vec_resize(s.placed, set_pool_words(p->sleeps));
    vec_resize(s.below, set_pool_words(p->sleeps));
    if (mask != NEVER) add_node(&s, &(CheckNode){.mask = mask, .parent = NONE, .step = NONE, .cover = NONE});
    s.result.answer = search(&s, limits);
    vec_free(s.users);
    vec_free(s.bads);
    vec_free(s.bad_steps);
    vec_free(s.node_heads);
    vec_free(s.bad_heads);
    vec_free(s.queue);
    vec_free(s.again);
    vec_free(s.placed);
    vec_free(s.below);
    return s.result;
}

void check_free(Check *c) {
    vec_free(c->nodes);
    vec_free(c->edges);
    vec_free(c->trace);
}
