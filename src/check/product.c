/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rules product and ranking. Product: the invariants of nodes hold at the start (init), every run from
   stop to stop keeps them (step), and they exclude the errors (error). Ranking: every run keeps them and makes the tuple smaller
   (decrease, in place of step). */
#include "check/checker.h"
#include "check/messages.h"

/* Returns whether a known value contradicts a constant of a node. */
static bool contradicts(const Update *constants, const Expr *const *values) {
    for (size_t i = 0; i < vec_len(constants) && values; i++) {
        const Expr *value = values[constants[i].variable];
        if (value && value != constants[i].value && expr_is_const(value)) return true;
    }
    return false;
}

/* Returns the nodes at these locations, with thread `moved` at `to`. The hash may add other nodes. A vec of the checker. */
static const unsigned *nodes_near(const Checker *c, const unsigned *locations, unsigned moved, unsigned to) {
    uint64_t h = 0, list = 0;
    for (unsigned t = 0; t < vec_len(c->system->threads); t++) h = hash_word(h ^ ((t == moved ? to : locations[t]) + 1));
    map_get(c->groups, h, &list);
    return (const unsigned *)(uintptr_t)list;
}

static bool is_at(const Checker *c, const ProofNode *n, const unsigned *locations, unsigned moved, unsigned to) {
    for (unsigned t = 0; t < vec_len(c->system->threads); t++)
        if (n->locations[t] != (t == moved ? to : locations[t])) return false;
    return true;
}

/* Returns the invariant of a vector of locations, in terms of the start of the run: the disjunction of its nodes. Nodes that the run's
   values contradict would become false and are left out, which can only make the obligation stronger. */
static const Expr *invariant_at(Checker *c, const unsigned *locations, unsigned moved, unsigned to, const BlockPath *run) {
    const Expr *e = expr_bool(c->exprs, false);
    const unsigned *nodes = nodes_near(c, locations, moved, to);
    for (size_t i = 0; i < vec_len(nodes); i++) {
        const ProofNode *k = &c->proof->nodes[nodes[i]];
        if (run && contradicts(c->constants[nodes[i]], run->values)) continue;
        if (!is_at(c, k, locations, moved, to)) continue;
        e = expr_or(c->exprs, e, run ? system_with(c->system, run->values, k->invariant) : k->invariant);
    }
    return e;
}

/* Checks that the run leads into a node of its target vector, with a smaller tuple. */
static void check_decrease(Checker *c, const ProofNode *from, const BlockPath *run) {
    const unsigned *nodes = nodes_near(c, from->locations, run->thread, run->location);
    const Expr *some = expr_bool(c->exprs, false);
    checker_name(c, "decrease %s to %u", c->system->threads[run->thread].name, run->location);
    for (size_t i = 0; i < vec_len(nodes) && c->ok; i++) {
        const ProofNode *to = &c->proof->nodes[nodes[i]];
        if (!is_at(c, to, from->locations, run->thread, run->location) || contradicts(c->constants[nodes[i]], run->values)) continue;
        if (vec_len(to->rank) != vec_len(from->rank)) checker_refuse(c, MSG_CHECK_TUPLE_LENGTHS);
        else {
            const Expr *there = system_with(c->system, run->values, to->invariant);
            some = expr_or(c->exprs, some, expr_and(c->exprs, there, ranking_is_less(c, from, to, run)));
            ranking_check_rounds(c, from, to, run);
        }
    }
    checker_name(c, "decrease %s to %u", c->system->threads[run->thread].name, run->location);
    checker_obligation(c, run->guard, some);
}

/* The node from which a run of a thread starts. */
typedef struct Step {
    Checker *checker;
    const ProofNode *node;
} Step;

static void check_run(void *context, const BlockPath *run) {
    const Step *step = context;
    Checker *c = step->checker;
    const char *name = c->system->threads[run->thread].name;
    if (checker_is_bad(c, run->thread, run->location)) {
        checker_name(c, "error %s %u", name, run->location);
        checker_obligation(c, run->guard, expr_bool(c->exprs, false));
    } else if (c->proof->rule == RULE_RANKING) {
        check_decrease(c, step->node, run);
    } else {
        checker_name(c, "step %s to %u", name, run->location);
        checker_obligation(c, run->guard, invariant_at(c, step->node->locations, run->thread, run->location, run));
    }
}

/* Returns whether the expression is a constant or an array of constants. */
static bool is_ground(const Expr *e) {
    bool ground = e->op == OP_CONST || e->op == OP_STORE || e->op == OP_CONST_ARRAY;
    for (unsigned i = 0; i < e->nargs && ground; i++) ground = is_ground(e->args[i]);
    return ground;
}

/* Collects the equalities with constants in an invariant. */
static void find_constants(const Checker *c, const Expr *e, Update **constants) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) find_constants(c, e->args[i], constants);
    if (e->op != OP_EQ) return;
    for (unsigned k = 0; k < 2; k++) {
        unsigned v = e->args[k]->op == OP_SYMBOL ? system_variable(c->system, e->args[k]->symbol) : NONE;
        if (v != NONE && is_ground(e->args[1 - k])) vec_push(*constants, ((Update){v, e->args[1 - k]}));
    }
}

static void check_node(Checker *c, size_t node) {
    const System *s = c->system;
    const ProofNode *n = &c->proof->nodes[node];
    unsigned only = NONE;
    ensure(node < vec_len(c->constants));
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (!c->proof->out[t][n->locations[t]]) only = t;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        if (only != NONE && t != only) continue;
        BlockPath start = {.thread = t, .location = n->locations[t], .guard = n->invariant};
        Step step = {c, n};
        vec_resize(start.values, vec_len(s->variables));
        /* Constants enter the run from the start, so that most guards simplify to true or false. */
        for (size_t i = 0; i < vec_len(c->constants[node]); i++) start.values[c->constants[node][i].variable] = c->constants[node][i].value;
        if (checker_is_bad(c, t, start.location)) check_run(&step, &start);
        else block_paths_follow(c, &start, check_run, &step);
        vec_free(start.values);
    }
}

static void group_nodes(Checker *c) {
    for (unsigned i = 0; i < vec_len(c->proof->nodes); i++) {
        uint64_t h = 0, list = 0;
        for (unsigned t = 0; t < vec_len(c->system->threads); t++) h = hash_word(h ^ (c->proof->nodes[i].locations[t] + 1));
        map_get(c->groups, h, &list);
        unsigned *nodes = (unsigned *)(uintptr_t)list;
        vec_push(nodes, i);
        map_put(c->groups, h, map_key(nodes));
        Update *constants = NULL;
        find_constants(c, c->proof->nodes[i].invariant, &constants);
        vec_push(c->constants, constants);
    }
}

void check_product(Checker *c) {
    ensure(c->proof->rule == RULE_PRODUCT || c->proof->rule == RULE_RANKING);
    const System *s = c->system;
    unsigned *entries = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        vec_push(entries, s->threads[t].entry);
        checker_name(c, "product %s", s->threads[t].name);
        if (s->threads[t].many) checker_refuse(c, MSG_CHECK_MANY);
    }
    group_nodes(c);
    checker_name(c, "init");
    checker_obligation(c, checker_initially(c), invariant_at(c, entries, NONE, 0, NULL));
    if (c->proof->rule == RULE_RANKING) ranking_check_nodes(c);
    for (size_t i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) check_node(c, i);
    vec_free(entries);
    vec_free_rows(c->constants);
    for (size_t i = 0; i < vec_len(c->proof->nodes); i++) { /* frees each list once, by its first node */
        uint64_t h = 0, list = 0;
        for (unsigned t = 0; t < vec_len(s->threads); t++) h = hash_word(h ^ (c->proof->nodes[i].locations[t] + 1));
        if (!map_get(c->groups, h, &list) || !list) continue;
        unsigned *nodes = (unsigned *)(uintptr_t)list;
        vec_free(nodes);
        map_put(c->groups, h, 0);
    }
}
