/* SPDX-License-Identifier: Apache-2.0 */
/* The obligations of the rule product: the invariants of nodes hold at the start (init), are kept by every run from stop to stop
   (step), and exclude the errors (error). Of the rule ranking, instead of step: they are kept, and the tuple becomes
   smaller (decrease). */
#include "check/checker.h"

/* A node says otherwise of a variable whose value is known. */
static bool contradicts(const Update *constants, const Expr *const *values) {
    for (size_t i = 0; i < vec_len(constants) && values; i++) {
        const Expr *value = values[constants[i].variable];
        if (value && value != constants[i].value && expr_is_const(value)) return true;
    }
    return false;
}

/* Nodes at these locations, where `moved` is at `to`, and perhaps others. A vec, the checker's. */
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

/* The invariant of a vector of locations, which is its nodes' disjunction, in terms of the start. Nodes that the run's
   values contradict would become false: they are left out (which at worst asks for more). */
static const Expr *invariant_at(Checker *c, const unsigned *locations, unsigned moved, unsigned to, const Run *run) {
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

/* Nodes of the vector that the run leads to, one of which the state is in, with a smaller tuple. */
static void check_decrease(Checker *c, const ProofNode *from, const Run *run) {
    const unsigned *nodes = nodes_near(c, from->locations, run->thread, run->location);
    const Expr *some = expr_bool(c->exprs, false);
    checker_name(c, "decrease %s to %u", c->system->threads[run->thread].name, run->location);
    for (size_t i = 0; i < vec_len(nodes) && c->ok; i++) {
        const ProofNode *to = &c->proof->nodes[nodes[i]];
        if (!is_at(c, to, from->locations, run->thread, run->location) || contradicts(c->constants[nodes[i]], run->values)) continue;
        if (vec_len(to->rank) != vec_len(from->rank)) checker_refuse(c, "tuples of different length");
        else {
            const Expr *there = system_with(c->system, run->values, to->invariant);
            some = expr_or(c->exprs, some, expr_and(c->exprs, there, ranking_is_less(c, from, to, run)));
            ranking_check_rounds(c, from, to, run);
        }
    }
    checker_name(c, "decrease %s to %u", c->system->threads[run->thread].name, run->location);
    checker_obligation(c, run->guard, some);
}

/* A run of a thread from where a node is. */
typedef struct Step {
    Checker *checker;
    const ProofNode *node;
} Step;

static void check_run(void *context, const Run *run) {
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

/* A constant, or an array of constants. */
static bool is_ground(const Expr *e) {
    bool ground = e->op == OP_CONST || e->op == OP_STORE || e->op == OP_CONST_ARRAY;
    for (unsigned i = 0; i < e->nargs && ground; i++) ground = is_ground(e->args[i]);
    return ground;
}

/* Equalities with constants in an invariant. */
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
        Run start = {.thread = t, .location = n->locations[t], .guard = n->invariant};
        Step step = {c, n};
        vec_resize(start.values, vec_len(s->variables));
        /* Constants are taken into the run at once: most guards then simplify away. */
        for (size_t i = 0; i < vec_len(c->constants[node]); i++) start.values[c->constants[node][i].variable] = c->constants[node][i].value;
        if (checker_is_bad(c, t, start.location)) check_run(&step, &start);
        else runs_follow(c, &start, check_run, &step);
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
        if (s->threads[t].many) checker_refuse(c, "a product of a number of threads that is not known");
    }
    group_nodes(c);
    checker_name(c, "init");
    checker_obligation(c, checker_initially(c), invariant_at(c, entries, NONE, 0, NULL));
    if (c->proof->rule == RULE_RANKING) ranking_check_nodes(c);
    for (size_t i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) check_node(c, i);
    vec_free(entries);
    vec_free_rows(c->constants);
    for (size_t i = 0; i < vec_len(c->proof->nodes); i++) { /* each list once: by its first node */
        uint64_t h = 0, list = 0;
        for (unsigned t = 0; t < vec_len(s->threads); t++) h = hash_word(h ^ (c->proof->nodes[i].locations[t] + 1));
        if (!map_get(c->groups, h, &list) || !list) continue;
        unsigned *nodes = (unsigned *)(uintptr_t)list;
        vec_free(nodes);
        map_put(c->groups, h, 0);
    }
}
