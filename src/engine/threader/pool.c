/* SPDX-License-Identifier: Apache-2.0 */
/* Excludes a counterexample by predicates that exist already, or that its steps suggest.

   A forward pass computes which candidates hold at each item of the tree. If these exclude the error, a backward pass finds the needed
   ones by unsatisfiable cores. The method is quick, mostly suffices, and does not add a predicate for each path. */
#include "engine/threader/tree.h"

enum { LARGE = 40, MOST_FRESH = 160, MOST_BEFORE = 60, MOST_COUNTERS = 6 };

typedef struct Pool {
    Tree *tree;
    Abstraction *abstraction;
    Aret *aret;
    PredicateSet *states, *relations;     /* by thread: candidates for states, and for steps */
    unsigned *of_node, *of_env;           /* by node, by env: the mask of the candidates that hold; NEVER: it is excluded */
    PredicateSet *node_needs, *env_needs; /* by node, by env: the candidates that are needed */
    bool *node_never, *env_never;         /* by node, by env: it must be excluded */
    bool free;                            /* the initial condition is not assumed */
} Pool;

/* ---- candidates ---- */

static void add_candidate(Pool *p, unsigned assertion) {
    const unsigned *list = post_variables(p->abstraction->post, assertion);
    for (unsigned t = 0; t < vec_len(p->states); t++) {
        bool state = true, relation = true;
        for (size_t i = 0; i < vec_len(list); i++) {
            state &= tree_may_mention(p->tree, t, list[i]);
            relation &= tree_may_relate(p->tree, t, list[i]);
        }
        if (state) predicates_add(&p->states[t], assertion);
        if (relation) predicates_add(&p->relations[t], assertion);
    }
}

/* Returns the primed copy of a variable. Numbers of threads never change. */
static const Expr *later_symbol(void *context, const Expr *e) {
    const Abstraction *a = context;
    unsigned v = system_variable(a->extended, e->symbol);
    bool own = v < vec_len(a->system->variables) && a->system->variables[v].thread != NONE &&
               a->system->threads[a->system->variables[v].thread].self == v;
    return v == NONE || v >= a->shared || own ? NULL : abstraction_expr(a, after_of(a, v));
}

typedef struct MentionedBy {
    const Pool *pool;
    bool *state, *relation; /* vecs, by thread: its formulas about states, or about steps, may mention all symbols so far */
} MentionedBy;

static void check_symbol(void *context, const Symbol *symbol) {
    MentionedBy *s = context;
    unsigned v = system_variable(s->pool->abstraction->extended, symbol);
    for (unsigned t = 0; t < vec_len(s->state); t++) {
        s->state[t] &= v != NONE && tree_may_mention(s->pool->tree, t, v);
        s->relation[t] &= v != NONE && tree_may_relate(s->pool->tree, t, v);
    }
}

/* True if the expression is in the vocabulary of some thread, for states or for steps. */
static bool is_in_vocabulary(const Pool *p, const Expr *e) {
    MentionedBy s = {.pool = p};
    bool found = false;
    for (size_t t = 0; t < vec_len(p->states); t++) {
        vec_push(s.state, true);
        vec_push(s.relation, true);
    }
    expr_symbols(e, check_symbol, &s);
    for (size_t t = 0; t < vec_len(p->states); t++) found |= s.state[t] || s.relation[t];
    vec_free(s.state);
    vec_free(s.relation);
    return found;
}

static void suggest(Pool *p, const Expr *e) {
    Abstraction *a = p->abstraction;
    if (expr_is_const(e) || e->tree > LARGE || post_predicate_count(a->post) > MAX_PREDICATES - MOST_FRESH || !is_in_vocabulary(p, e))
        return;
    unsigned now = post_add_predicate(a->post, e), later = post_add_predicate(a->post, expr_substitute(a->exprs, e, later_symbol, a));
    if (now != NONE) add_candidate(p, now);
    if (later != NONE) add_candidate(p, later);
}

/* Suggests how a global, or a cell of a global array, changes: not at all, upwards or downwards. */
static void suggest_change(Pool *p, const Expr *e) {
    Abstraction *a = p->abstraction;
    Exprs *x = a->exprs;
    bool cell = e->op == OP_SELECT && e->args[0]->op == OP_SYMBOL && expr_is_const(e->args[1]);
    if ((e->op != OP_SYMBOL && !cell) || e->sort->kind != SORT_INT || post_predicate_count(a->post) > MAX_PREDICATES - MOST_FRESH) return;
    unsigned v = system_variable(a->system, cell ? e->args[0]->symbol : e->symbol);
    if (v == NONE || a->system->variables[v].thread != NONE) return;
    const Expr *after = expr_substitute(x, e, later_symbol, a);
    const Expr *ways[] = {expr_eq(x, after, e), expr_2(x, OP_SLE, e, after), expr_2(x, OP_SLE, after, e)};
    for (int i = 0; i < 3; i++) {
        unsigned n = post_add_predicate(a->post, ways[i]);
        if (n != NONE) add_candidate(p, n);
    }
}

static void look_for_input(void *context, const Symbol *s) {
    const Pool *p = ((void **)context)[0];
    if (system_variable(p->abstraction->extended, s) == NONE) *(bool *)((void **)context)[1] = true;
}

/* Suggests the comparisons in a guard, and their negations. */
static void suggest_atoms(Pool *p, const Expr *e) {
    bool logical = e->op == OP_AND || e->op == OP_OR || e->op == OP_NOT || e->op == OP_ITE;
    for (unsigned i = 0; i < e->nargs && logical; i++)
        if (e->args[i]->sort->kind == SORT_BOOL) suggest_atoms(p, e->args[i]);
    bool inputs = false;
    expr_symbols(e, look_for_input, (void *[]){p, &inputs});
    if (logical || inputs || e->sort->kind != SORT_BOOL) return;
    for (unsigned i = 0; i < e->nargs; i++) suggest_change(p, e->args[i]);
    suggest(p, e);
    suggest(p, expr_not(p->abstraction->exprs, e));
}

/* Suggests that a variable has an assigned value, unless the value mentions the variable itself. */
static void suggest_value(Pool *p, unsigned v, const Expr *value) {
    bool inputs = false;
    expr_symbols(value, look_for_input, (void *[]){p, &inputs});
    if (v >= p->abstraction->shared || !p->tree->cone[v] || inputs || value->sort->kind == SORT_ARRAY) return;
    if (!expr_mentions(value, p->abstraction->extended->variables[v].symbol))
        suggest(p, expr_eq(p->abstraction->exprs, abstraction_expr(p->abstraction, v), value));
}

/* ---- comparisons taken back over steps ---- */

static void add_atom(const Expr ***list, const Expr *e) {
    bool logical = e->op == OP_AND || e->op == OP_OR || e->op == OP_NOT || e->op == OP_ITE;
    for (unsigned i = 0; i < e->nargs && logical; i++)
        if (e->args[i]->sort->kind == SORT_BOOL) add_atom(list, e->args[i]);
    if (logical || expr_is_const(e) || e->tree > LARGE || vec_len(*list) >= MOST_BEFORE) return;
    if (!vec_has(*list, e)) vec_push(*list, e);
}

/* Suggests the comparisons of the guards, taken back over the steps before them. */
static void suggest_before(Pool *p) {
    const Abstraction *a = p->abstraction;
    const Expr **list = NULL;
    for (size_t i = vec_len(p->tree->block_steps); i-- > 0;) {
        const Transition *x = &a->block_steps->list[p->tree->block_steps[i]].step;
        for (size_t k = 0, n = vec_len(list); k < n; k++) add_atom(&list, transition_after(a->system, x, list[k]));
        add_atom(&list, x->guard);
    }
    for (size_t i = 0; i < vec_len(list); i++) suggest_atoms(p, list[i]);
    vec_free(list);
}

/* Suggests the comparisons of guards, assigned values, and places of threads. */
static void suggest_all(Pool *p) {
    const Abstraction *a = p->abstraction;
    for (unsigned v = 0; v < vec_len(a->system->variables); v++)
        if (a->system->variables[v].init) suggest_value(p, v, a->system->variables[v].init);
    for (size_t i = 0; i < vec_len(p->tree->block_steps); i++) {
        const BlockStep *l = &a->block_steps->list[p->tree->block_steps[i]];
        suggest_atoms(p, l->step.guard);
        for (size_t k = 0; k < vec_len(l->step.updates); k++) suggest_value(p, l->step.updates[k].variable, l->step.updates[k].value);
        if (p->tree->vocabulary == VOCABULARY_MODULAR) continue;
        unsigned ends[] = {l->step.source, l->step.target};
        for (int k = 0; k < 2; k++)
            suggest_atoms(p, expr_eq(a->exprs, abstraction_expr(a, place_of(a, l->thread)), expr_int(a->exprs, ends[k])));
    }
}

/* ---- counters ---- */

/* True if the update adds a constant to its variable. */
static bool is_counted(const Abstraction *a, const Update *u) {
    const Expr *e = u->value, *v = system_expr(a->system, u->variable);
    if (e->op != OP_ADD || e->sort->kind != SORT_INT || e->nargs != 2) return false;
    return (e->args[0] == v && expr_is_const(e->args[1])) || (e->args[1] == v && expr_is_const(e->args[0]));
}

/* Returns the variables to which steps of the tree add constants, as a vec. */
static const Expr **find_counters(const Pool *p) {
    const Abstraction *a = p->abstraction;
    const Expr **list = NULL;
    for (size_t i = 0; i < vec_len(p->tree->block_steps); i++) {
        const Transition *x = &a->block_steps->list[p->tree->block_steps[i]].step;
        for (size_t k = 0; k < vec_len(x->updates); k++) {
            const Expr *v = system_expr(a->system, x->updates[k].variable);
            bool fresh = p->tree->cone[x->updates[k].variable] && is_counted(a, &x->updates[k]);
            for (size_t n = 0; n < vec_len(list); n++) fresh &= list[n] != v;
            if (fresh) vec_push(list, v);
        }
    }
    return list;
}

/* Suggests which of two counters is ahead, their initial values, and how they change. Their other values are not suggested, since there may be
   many. */
static void suggest_counters(Pool *p) {
    const Abstraction *a = p->abstraction;
    const Expr **list = find_counters(p);
    size_t n = vec_len(list) > MOST_COUNTERS ? 0 : vec_len(list);
    for (unsigned v = 0; n > 1 && v < vec_len(a->system->variables); v++)
        if (a->system->variables[v].init) suggest_value(p, v, a->system->variables[v].init);
    for (size_t i = 0; n > 1 && i < n; i++) {
        suggest_change(p, list[i]);
        for (size_t k = 0; k < n; k++)
            if (i != k) suggest(p, expr_2(a->exprs, OP_SLE, list[i], list[k]));
    }
    vec_free(list);
}

static void find_candidates(Pool *p, PoolSource source) {
    size_t n = vec_len(p->abstraction->system->threads);
    vec_resize(p->states, n);
    vec_resize(p->relations, n);
    for (unsigned i = 0; i < post_predicate_count(p->abstraction->post); i++) add_candidate(p, i);
    if (source == POOL_GUARDS) suggest_all(p);
    if (source == POOL_BEFORE) suggest_before(p);
    if (source == POOL_COUNTERS) suggest_counters(p);
}

/* ---- forward ---- */

static void find_env(Pool *p, unsigned env) {
    const EnvTransition *e = &p->aret->envs[env];
    unsigned thread = aret_block_step(p->aret, env)->thread, source = p->of_node[e->source];
    p->of_env[env] = source == NEVER
                         ? NEVER
                         : abstraction_after(p->abstraction, p->abstraction->relational[e->block_step], source, &p->relations[thread]);
}

static void find_node(Pool *p, unsigned node) {
    Abstraction *a = p->abstraction;
    const Node *n = &p->aret->nodes[node];
    const PredicateSet *these = &p->states[n->thread];
    unsigned parent = n->parent == NONE ? 0 : p->of_node[n->parent];
    if (parent == NEVER || (n->env != NONE && p->of_env[n->env] == NEVER)) p->of_node[node] = NEVER;
    else if (n->parent == NONE) p->of_node[node] = p->free ? 0 : abstraction_after(a, a->start[n->thread], 0, these);
    else if (n->env == NONE) p->of_node[node] = abstraction_after(a, a->own[n->block_step], parent, these);
    else p->of_node[node] = aret_apply(p->aret, parent, p->of_env[n->env], p->aret->envs[n->env].block_step, n->thread, n->location, these);
}

static bool is_excluded(Pool *p) {
    vec_resize(p->of_node, vec_len(p->aret->nodes));
    vec_resize(p->of_env, vec_len(p->aret->envs));
    for (size_t i = 0; i < vec_len(p->tree->items); i++) (p->tree->items[i].env ? find_env : find_node)(p, p->tree->items[i].index);
    unsigned mask = p->of_node[p->aret->error];
    return mask == NEVER || post_excludes(p->abstraction->post, p->abstraction->own[p->aret->bad], mask);
}

/* ---- backward ---- */

/* Adds the candidates of a node that make the assertion hold after a step from there. If the assertion is NONE, they exclude the step. */
static void need_before(Pool *p, unsigned step, unsigned node, unsigned assertion) {
    PredicateSet core = post_needs(p->abstraction->post, step, p->of_node[node], assertion);
    predicates_join(&p->node_needs[node], &core);
}

/* Adds the candidates of a node's parent, and of the environment transition to the node, that make the assertion hold. */
static void need_before_env(Pool *p, const Node *n, unsigned assertion) {
    PredicateSet held, said;
    aret_needs(p->aret, p->of_node[n->parent], p->of_env[n->env], p->aret->envs[n->env].block_step, n->thread, n->location, assertion,
               &held, &said);
    predicates_join(&p->node_needs[n->parent], &held);
    predicates_join(&p->env_needs[n->env], &said);
}

static void need_node(Pool *p, unsigned node) {
    Abstraction *a = p->abstraction;
    const Node *n = &p->aret->nodes[node];
    PredicateSet needs = p->node_needs[node];
    unsigned i;
    if (n->parent == NONE) return;
    if (p->node_never[node]) {
        if (p->of_node[n->parent] == NEVER) p->node_never[n->parent] = true;
        else if (n->env != NONE && p->of_env[n->env] == NEVER) p->env_never[n->env] = true;
        else if (n->env != NONE) need_before_env(p, n, NONE);
        else need_before(p, a->own[n->block_step], n->parent, NONE);
        return;
    }
    for (PredicateWalk w = predicates_walk(&needs); predicates_next(&w, &i);) {
        if (n->env != NONE) need_before_env(p, n, i);
        else need_before(p, a->own[n->block_step], n->parent, i);
    }
}

static void need_env(Pool *p, unsigned env) {
    Abstraction *a = p->abstraction;
    const EnvTransition *e = &p->aret->envs[env];
    PredicateSet needs = p->env_needs[env];
    unsigned i;
    if (p->env_never[env] && p->of_node[e->source] == NEVER) p->node_never[e->source] = true;
    else if (p->env_never[env]) need_before(p, a->relational[e->block_step], e->source, NONE);
    for (PredicateWalk w = predicates_walk(&needs); predicates_next(&w, &i);) need_before(p, a->relational[e->block_step], e->source, i);
}

/* Tracks the needed candidates. Returns false if all of them are tracked already. */
static bool learn(Pool *p) {
    Abstraction *a = p->abstraction;
    size_t n = vec_len(p->tree->items);
    bool grown = false;
    if (p->of_node[p->aret->error] == NEVER) p->node_never[p->aret->error] = true;
    else need_before(p, a->own[p->aret->bad], p->aret->error, NONE);
    for (size_t i = n; i-- > 0;) (p->tree->items[i].env ? need_env : need_node)(p, p->tree->items[i].index);
    for (size_t k = 0; k < n; k++) {
        TreeItem item = p->tree->items[k];
        const PredicateSet *needs = item.env ? &p->env_needs[item.index] : &p->node_needs[item.index];
        unsigned i;
        for (PredicateWalk w = predicates_walk(needs); predicates_next(&w, &i);)
            grown |= tree_learn(p->tree, item, post_predicate(a->post, i));
    }
    return grown;
}

bool tree_by_pool(Tree *t, PoolSource source, bool free) {
    Pool p = {.tree = t, .abstraction = t->abstraction, .aret = t->aret, .free = free};
    vec_resize(p.node_needs, vec_len(t->aret->nodes));
    vec_resize(p.env_needs, vec_len(t->aret->envs));
    vec_resize(p.node_never, vec_len(t->aret->nodes));
    vec_resize(p.env_never, vec_len(t->aret->envs));
    find_candidates(&p, source);
    bool learned = is_excluded(&p) && learn(&p);
    vec_free(p.states);
    vec_free(p.relations);
    vec_free(p.of_node);
    vec_free(p.of_env);
    vec_free(p.node_needs);
    vec_free(p.env_needs);
    vec_free(p.node_never);
    vec_free(p.env_never);
    return learned;
}
