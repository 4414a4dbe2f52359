/* SPDX-License-Identifier: Apache-2.0 */
/* Excludes a counterexample by Horn clauses without recursion (Gupta, Popeea and Rybalchenko, Section 6).

   Each abstract state and each environment transition of the tree has an unknown. A solution in the vocabulary excludes the
   counterexample, and its conjuncts are new predicates. The clauses are solved by linear inequalities (interpolation/tree.c), or else by
   Spacer. */
#include "base/clock.h"
#include "engine/threader/tree.h"
#include "interpolation/tree.h"
#include <stdio.h>

enum { LINEAR_MS = 1000, SOLVE_MS = 4000 };

typedef struct Unknown {
    const Symbol *predicate;
    unsigned *arguments; /* a vec of variables of the extended system */
} Unknown;

typedef struct Clauses {
    const Tree *tree;
    Abstraction *abstraction;
    Aret *aret;
    Horn *horn;
    HornTree *linear;          /* NULL: the solution is Spacer's */
    Unknown *of_node, *of_env; /* by node, by env; empty if it is not in the tree */
} Clauses;

static void declare(Clauses *t, Unknown *u, char kind, unsigned number) {
    const Sort **sorts = NULL;
    char name[32];
    for (size_t i = 0; i < vec_len(u->arguments); i++) vec_push(sorts, t->abstraction->extended->variables[u->arguments[i]].symbol->sort);
    snprintf(name, sizeof name, "%c%u", kind, number);
    u->predicate = horn_predicate(t->horn, name, (unsigned)vec_len(sorts), sorts);
    vec_free(sorts);
}

static void declare_env(Clauses *t, unsigned env) {
    const BlockStep *l = aret_block_step(t->aret, env);
    const unsigned *written = t->abstraction->written[l->step.index];
    Unknown *u = &t->of_env[env];
    for (unsigned v = 0; v < t->abstraction->shared; v++)
        if (tree_may_relate(t->tree, l->thread, v)) vec_push(u->arguments, v);
    for (size_t k = 0; k < vec_len(written); k++)
        if (tree_may_relate(t->tree, l->thread, written[k])) vec_push(u->arguments, after_of(t->abstraction, written[k]));
    declare(t, u, 'E', env);
}

static void declare_all(Clauses *t) {
    const Abstraction *a = t->abstraction;
    vec_resize(t->of_node, vec_len(t->aret->nodes));
    vec_resize(t->of_env, vec_len(t->aret->envs));
    vec_each(TreeItem, item, t->tree->items) {
        if (item.env) {
            declare_env(t, item.index);
            continue;
        }
        Unknown *u = &t->of_node[item.index];
        for (unsigned v = 0; v < a->shared; v++)
            if (tree_may_mention(t->tree, t->aret->nodes[item.index].thread, v)) vec_push(u->arguments, v);
        declare(t, u, 'R', item.index);
    }
}

/* ---- clauses ---- */

/* Applies an unknown to the values after a step, or to the variables if the step is NULL. */
static const Expr *atom(const Clauses *t, const Unknown *u, const Transition *step) {
    const Abstraction *a = t->abstraction;
    const Expr **values = NULL;
    for (size_t i = 0; i < vec_len(u->arguments); i++)
        vec_push(values, step ? transition_value(a->extended, step, u->arguments[i]) : abstraction_expr(a, u->arguments[i]));
    const Expr *e = expr_apply(a->exprs, u->predicate, (unsigned)vec_len(values), values);
    vec_free(values);
    return e;
}

/* Applies the unknown of an environment transition to a thread at a location. */
static const Expr *env_atom(const Clauses *t, unsigned env, unsigned thread, unsigned location) {
    const Abstraction *a = t->abstraction;
    const Unknown *u = &t->of_env[env];
    unsigned actor = aret_block_step(t->aret, env)->thread, self = a->system->threads[actor].self;
    const Expr **values = NULL;
    vec_each(unsigned, v, u->arguments) {
        const Expr *e = abstraction_expr(a, v);
        if (actor == thread && v == self) e = abstraction_expr(a, a->system->threads[a->system->threads[actor].other_instance].self);
        if (v == place_of(a, thread)) e = expr_int(a->exprs, location);
        vec_push(values, e);
    }
    const Expr *e = expr_apply(a->exprs, u->predicate, (unsigned)vec_len(values), values);
    vec_free(values);
    return e;
}

static void clause_of_node(Clauses *t, unsigned node) {
    Abstraction *a = t->abstraction;
    const Node *n = &t->aret->nodes[node];
    char name[32];
    snprintf(name, sizeof name, "node.%u", node);
    if (n->parent == NONE) {
        const Transition *start = post_transition(a->post, a->start[n->thread]);
        horn_clause(t->horn, name, start->guard, 0, NULL, atom(t, &t->of_node[node], NULL));
        return;
    }
    const Expr *body[2] = {atom(t, &t->of_node[n->parent], NULL)};
    if (n->env == NONE) {
        const Transition *step = post_transition(a->post, a->own[n->block_step]);
        horn_clause(t->horn, name, step->guard, 1, body, atom(t, &t->of_node[node], step));
        return;
    }
    body[1] = env_atom(t, n->env, n->thread, n->location);
    const Transition *step = post_transition(a->post, aret_step(t->aret, t->aret->envs[n->env].block_step, n->thread));
    unsigned actor = aret_block_step(t->aret, n->env)->thread;
    const Expr *numbers = abstraction_numbers(a, n->thread, actor == n->thread ? a->system->threads[actor].other_instance : actor);
    horn_clause(t->horn, name, numbers, 2, body, atom(t, &t->of_node[node], step));
}

static void clause_of_env(Clauses *t, unsigned env) {
    Abstraction *a = t->abstraction;
    const EnvTransition *e = &t->aret->envs[env];
    const Transition *step = post_transition(a->post, a->relational[e->block_step]);
    const Expr *body = atom(t, &t->of_node[e->source], NULL);
    char name[32];
    snprintf(name, sizeof name, "env.%u", env);
    horn_clause(t->horn, name, step->guard, 1, &body, atom(t, &t->of_env[env], step));
}

static void clauses(Clauses *t) {
    Abstraction *a = t->abstraction;
    for (size_t i = 0; i < vec_len(t->tree->items); i++)
        (t->tree->items[i].env ? clause_of_env : clause_of_node)(t, t->tree->items[i].index);
    const Expr *body = atom(t, &t->of_node[t->aret->error], NULL);
    horn_clause(t->horn, "error", post_transition(a->post, a->own[t->aret->bad])->guard, 1, &body, NULL);
}

/* ---- solutions ---- */

/* A lower or upper bound of a variable. */
typedef struct Bound {
    const Expr *variable;
    i128 value;
    bool lower;
} Bound;

static bool is_bound(const Expr *e, Bound *b) {
    if ((e->op != OP_SLT && e->op != OP_SLE) || e->args[0]->sort->kind != SORT_INT) return false;
    b->lower = expr_is_const(e->args[0]);
    const Expr *constant = e->args[b->lower ? 0 : 1];
    b->variable = e->args[b->lower ? 1 : 0];
    if (!expr_is_const(constant) || b->variable->op != OP_SYMBOL) return false;
    b->value = (i128)constant->value + (e->op == OP_SLE ? 0 : b->lower ? 1 : -1);
    return true;
}

/* Replaces x >= c and x <= c by x = c, so that one predicate suffices. */
static const Expr *with_equalities(Exprs *x, const Expr *e) {
    for (unsigned i = 0; e->op == OP_AND && i < e->nargs; i++)
        for (unsigned k = 0; k < e->nargs; k++) {
            Bound low, high;
            if (!is_bound(e->args[i], &low) || !is_bound(e->args[k], &high) || !low.lower || high.lower) continue;
            if (low.variable != high.variable || low.value != high.value || low.value < -1000000000 || low.value > 1000000000) continue;
            const Expr *rest = expr_eq(x, low.variable, expr_int(x, (int64_t)low.value));
            for (unsigned m = 0; m < e->nargs; m++)
                if (m != i && m != k) rest = expr_and(x, rest, e->args[m]);
            return with_equalities(x, rest);
        }
    return e;
}

static const Expr *solution(Clauses *t, const Unknown *u) {
    const Expr **args = NULL;
    for (size_t i = 0; i < vec_len(u->arguments); i++) vec_push(args, abstraction_expr(t->abstraction, u->arguments[i]));
    const Expr *e = t->linear ? horn_tree_solution(t->linear, u->predicate, args) : horn_solution(t->horn, u->predicate, args);
    vec_free(args);
    return e ? with_equalities(t->abstraction->exprs, e) : NULL;
}

static bool learn(Clauses *t) {
    bool grown = false;
    vec_each(TreeItem, item, t->tree->items) {
        const Expr *e = solution(t, item.env ? &t->of_env[item.index] : &t->of_node[item.index]);
        if (e) grown |= tree_learn(t->tree, item, e);
    }
    return grown;
}

static void free_unknowns(Unknown *list) {
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].arguments);
    vec_free(list);
}

static bool by_inequalities(Clauses *t, unsigned milliseconds) {
    t->linear = horn_tree_solve(t->horn, t->abstraction->smt, milliseconds < LINEAR_MS ? milliseconds : LINEAR_MS);
    bool learned = t->linear && learn(t);
    if (t->linear) horn_tree_free(t->linear);
    t->linear = NULL;
    return learned;
}

static RefineResult by_spacer(Clauses *t, unsigned milliseconds) {
    switch (horn_solve(t->horn, (HornLimits){.milliseconds = milliseconds < SOLVE_MS ? milliseconds : SOLVE_MS, .plain = true})) {
    case HORN_SOLVED: return learn(t) ? REFINE_LEARNED : REFINE_NOTHING;
    case HORN_REFUTED: return REFINE_ERROR;
    case HORN_UNKNOWN: break;
    }
    return REFINE_NOTHING;
}

static unsigned milliseconds_until(double deadline) {
    double left = (deadline - clock_seconds()) * 1000;
    return left < 1 ? 1 : left > 1000000 ? 1000000 : (unsigned)left;
}

RefineResult tree_by_clauses(Tree *tree, double deadline) {
    Clauses t = {.tree = tree, .aret = tree->aret, .abstraction = tree->abstraction, .horn = horn_new(tree->abstraction->smt)};
    declare_all(&t);
    clauses(&t);
    RefineResult lesson = by_inequalities(&t, milliseconds_until(deadline)) ? REFINE_LEARNED : by_spacer(&t, milliseconds_until(deadline));
    free_unknowns(t.of_node);
    free_unknowns(t.of_env);
    horn_free(t.horn);
    return lesson;
}
