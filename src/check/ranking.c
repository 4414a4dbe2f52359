/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the nodes of the rule ranking: tuples that become smaller, threads that help under a fair scheduler (helps), and cuts. An
   execution comes back to a cut node only finitely often (start, step around, cover). See doc/rules.md, "The rule ranking". */
#include "check/checker.h"
#include "check/messages.h"

/* ---- tuples ---- */

static bool is_cut(const ProofNode *n, size_t component) { return vec_len(n->rounds) && vec_len(n->rounds[component].measures); }

static unsigned helper(const ProofNode *n, size_t component) { return vec_len(n->helpers) ? n->helpers[component] : 0; }

/* Returns whether no thread is in the middle of an atomic section. */
static bool all_out(const Checker *c, const ProofNode *n) {
    for (unsigned t = 0; t < vec_len(c->system->threads); t++)
        if (!c->proof->out[t][n->locations[t]]) return false;
    return true;
}

/* Returns the formula that the first component that changes becomes smaller, and was not negative. Two cases need less. With a helper, the
   components so far must not grow, and the helper must stay the same and not step. At a cut node, they must not grow. */
const Expr *ranking_is_less(Checker *c, const ProofNode *from, const ProofNode *to, const BlockPath *run) {
    Exprs *x = c->exprs;
    const Expr *less = expr_bool(x, false), *zero = expr_int(x, 0);
    bool out = all_out(c, from);
    for (size_t i = vec_len(from->rank); i-- > 0;) {
        const Expr *before = from->rank[i], *after = system_with(c->system, run->values, to->rank[i]);
        const Expr *falls = expr_and(x, expr_2(x, OP_SLT, after, before), expr_2(x, OP_SLE, zero, before));
        unsigned h = helper(from, i);
        if (h && out) less = expr_bool(x, true);
        if (h != helper(to, i) || h == run->thread + 1) less = expr_bool(x, false);
        if (is_cut(from, i)) less = expr_bool(x, true);
        less = expr_or(x, falls, expr_and(x, expr_2(x, OP_SLE, after, before), less));
    }
    return less;
}

const Expr *ranking_falls(Checker *c, const Expr *const *before, const Expr *const *at_target, const Transition *run, bool strictly) {
    Exprs *x = c->exprs;
    const Expr *less = expr_bool(x, !strictly), *zero = expr_int(x, 0);
    if (vec_len(before) != vec_len(at_target)) checker_refuse(c, MSG_CHECK_TUPLE_LENGTHS);
    for (size_t i = vec_len(before); i-- > 0 && c->ok;) {
        const Expr *after = transition_after(c->system, run, at_target[i]);
        const Expr *falls = expr_and(x, expr_2(x, OP_SLT, after, before[i]), expr_2(x, OP_SLE, zero, before[i]));
        less = expr_or(x, falls, expr_and(x, expr_2(x, OP_SLE, after, before[i]), less));
    }
    return less;
}

/* ---- helpers can step ---- */

typedef struct Steps {
    Checker *checker;
    const Expr *some;
} Steps;

/* Sets *weaker if the symbol stands for any number with the right remainder. A guard over it may hold where the program's guard does
   not. */
static void look_for_congruent(void *context, const Symbol *symbol) {
    const Checker *c = ((void **)context)[0];
    unsigned v = system_variable(c->system, symbol);
    const Variable *origin = v == NONE ? NULL : c->system->variables[v].origin;
    if (origin && origin->congruent) *(bool *)((void **)context)[1] = true;
}

static void add_step(void *context, const BlockPath *run) {
    Steps *s = context;
    Checker *c = s->checker;
    bool weaker = false;
    void *look[] = {c, &weaker};
    expr_symbols(run->guard, look_for_congruent, look);
    if (c->proof->out[run->thread][run->location] && !weaker) s->some = expr_or(c->exprs, s->some, run->guard);
}

static void check_helper(Checker *c, const ProofNode *n, unsigned h) {
    Steps steps = {c, expr_bool(c->exprs, false)};
    checker_name(c, "helps %s at %u", c->system->threads[h].name, n->locations[h]);
    if (checker_is_bad(c, h, n->locations[h])) return;
    block_paths_from(c, h, n->locations[h], add_step, &steps);
    checker_obligation(c, n->invariant, steps.some);
}

/* Checks that there are no blocks: helpers are considered between any two steps of the system. */
static void check_no_blocks(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            checker_name(c, "helps %s %u", s->threads[t].name, l);
            if (!c->proof->out[t][l] && !s->threads[t].locations[l].atomic) checker_refuse(c, MSG_CHECK_FAIR_BLOCKS);
        }
}

static void check_helpers(Checker *c, const ProofNode *n) {
    for (size_t i = 0; i < vec_len(n->helpers) && c->ok; i++)
        if (n->helpers[i] && all_out(c, n)) check_no_blocks(c), check_helper(c, n, n->helpers[i] - 1);
}

/* ---- rounds: from one visit of a cut node to a later one ---- */

static const Expr *relation(Checker *c, const ProofNode *n, size_t i) {
    const Expr *e = vec_len(n->rounds) ? n->rounds[i].relation : NULL;
    return e ? e : expr_bool(c->exprs, false);
}

/* Returns the formula that no component before this one lets the run decrease. */
static const Expr *stays(Checker *c, const ProofNode *from, const ProofNode *to, const BlockPath *run, size_t before) {
    Exprs *x = c->exprs;
    const Expr *all = expr_bool(x, true);
    for (size_t i = 0; i < before; i++) {
        const Expr *was = from->rank[i], *is = system_with(c->system, run->values, to->rank[i]);
        const Expr *falls = expr_and(x, expr_2(x, OP_SLT, is, was), expr_2(x, OP_SLE, expr_int(x, 0), was));
        all = expr_and(x, all, expr_and(x, expr_2(x, OP_SLE, is, was), expr_not(x, falls)));
    }
    return all;
}

/* A visit at the start of the run: formulas about the visit become formulas about that state. */
typedef struct Visit {
    const Checker *checker;
    const BlockPath *run;
} Visit;

static unsigned saved_variable(const Proof *p, const Symbol *symbol) {
    for (unsigned v = 0; v < vec_len(p->after); v++)
        if (p->after[v] == symbol) return v;
    return NONE;
}

static const Expr *visited(void *context, const Expr *e) {
    const Visit *i = context;
    const System *s = i->checker->system;
    unsigned v = system_variable(s, e->symbol);
    if (v != NONE) return i->run->values[v];
    v = saved_variable(i->checker->proof, e->symbol);
    return v == NONE ? NULL : system_expr(s, v);
}

void ranking_check_rounds(Checker *c, const ProofNode *from, const ProofNode *to, const BlockPath *run) {
    Exprs *x = c->exprs;
    const char *name = c->system->threads[run->thread].name;
    for (size_t i = 0; i < vec_len(from->rounds) && c->ok; i++) {
        if (!from->rounds[i].relation && !is_cut(from, i)) continue;
        const Expr *there = system_with(c->system, run->values, to->invariant), *now = relation(c, to, i);
        const Expr *can = expr_and(x, run->guard, expr_and(x, there, stays(c, from, to, run, i)));
        Visit v = {c, run};
        checker_name(c, "start %s to %u", name, run->location);
        if (is_cut(from, i)) checker_obligation(c, can, expr_substitute(x, now, visited, &v));
        checker_name(c, "around %s to %u", name, run->location);
        checker_obligation(c, expr_and(x, can, relation(c, from, i)), system_with(c->system, run->values, now));
    }
}

static const Expr *at_visit(void *context, const Expr *e) {
    const Checker *c = context;
    unsigned v = system_variable(c->system, e->symbol);
    return v == NONE ? NULL : expr_symbol(c->exprs, c->proof->after[v]);
}

static void check_cover(Checker *c, const ProofNode *n, size_t i) {
    Exprs *x = c->exprs;
    const Expr *some = expr_bool(x, false);
    for (size_t k = 0; k < vec_len(n->rounds[i].measures); k++) {
        const Expr *now = n->rounds[i].measures[k], *then = expr_substitute(x, now, at_visit, c);
        some = expr_or(x, some, expr_and(x, expr_2(x, OP_SLT, now, then), expr_2(x, OP_SLE, expr_int(x, 0), then)));
    }
    checker_name(c, "cover");
    checker_obligation(c, expr_and(x, n->invariant, relation(c, n, i)), some);
}

static void look_at_symbol(void *context, const Symbol *symbol) {
    const Checker *c = ((void **)context)[0];
    bool known = system_variable(c->system, symbol) != NONE || saved_variable(c->proof, symbol) != NONE;
    if (!known) *(bool *)((void **)context)[1] = true;
}

static void check_round(Checker *c, const ProofNode *n, size_t i) {
    bool foreign = false;
    void *context[] = {c, &foreign};
    checker_name(c, "claim of a round");
    if (n->rounds[i].relation) expr_symbols(n->rounds[i].relation, look_at_symbol, context);
    if (foreign) checker_refuse(c, MSG_CHECK_ROUND_SCOPE);
    for (size_t k = 0; k < vec_len(n->rounds[i].measures); k++) checker_scope(c, n->rounds[i].measures[k], (CheckScope){.all = true});
    if (is_cut(n, i)) check_cover(c, n, i);
}

static void check_shape(Checker *c) {
    bool rounds = false;
    for (size_t n = 0; n < vec_len(c->proof->nodes); n++) {
        const ProofNode *node = &c->proof->nodes[n];
        checker_name(c, "tuple of node %zu", n);
        if (vec_len(node->helpers) && vec_len(node->helpers) != vec_len(node->rank)) checker_refuse(c, MSG_CHECK_ROUND_COUNT);
        if (vec_len(node->rounds) && vec_len(node->rounds) != vec_len(node->rank)) checker_refuse(c, MSG_CHECK_ROUND_COUNT);
        rounds |= vec_len(node->rounds) != 0;
    }
    if (rounds) checker_after(c);
}

void ranking_check_nodes(Checker *c) {
    check_shape(c);
    for (size_t n = 0; n < vec_len(c->proof->nodes) && c->ok; n++) {
        const ProofNode *node = &c->proof->nodes[n];
        check_helpers(c, node);
        for (size_t i = 0; i < vec_len(node->rounds) && c->ok; i++) check_round(c, node, i);
    }
}
