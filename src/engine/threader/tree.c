/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/threader/tree.h"
#include "engine/threader/aret.h"

typedef struct Collecting {
    Tree *tree;
    bool *has_node, *has_env;
} Collecting;

static void collect_node(Collecting *c, unsigned node) {
    Tree *t = c->tree;
    const Node *n = &t->aret->nodes[node];
    if (c->has_node[node]) return;
    c->has_node[node] = true;
    if (n->parent != NONE) collect_node(c, n->parent);
    if (n->env != NONE && !c->has_env[n->env]) {
        c->has_env[n->env] = true;
        collect_node(c, t->aret->envs[n->env].source);
        vec_push(t->items, ((TreeItem){true, n->env}));
        vec_push(t->block_steps, t->aret->envs[n->env].block_step);
    }
    vec_push(t->items, ((TreeItem){false, node}));
    if (n->block_step != NONE) vec_push(t->block_steps, n->block_step);
}

/* ---- the cone of influence ---- */

static void use_symbol(void *context, const Symbol *s) {
    Tree *t = context;
    unsigned v = system_variable(t->abstraction->system, s);
    if (v != NONE) t->cone[v] = true;
}

static const BlockStep *block_step(const Tree *t, unsigned i) { return &t->abstraction->block_steps->list[t->block_steps[i]]; }

static size_t size_of_cone(const Tree *t) {
    size_t n = 0;
    for (size_t v = 0; v < vec_len(t->cone); v++) n += t->cone[v];
    return n;
}

/* Finds the variables that guards of the tree depend on, the numbers of threads marked many, and, unless the vocabulary is modular, the places
   of the tree's threads. */
static void find_cone(Tree *t) {
    const System *s = t->abstraction->system;
    vec_resize(t->cone, t->abstraction->shared);
    for (unsigned i = 0; i < vec_len(t->block_steps); i++) expr_symbols(block_step(t, i)->step.guard, use_symbol, t);
    for (size_t before = 0; before < size_of_cone(t);) {
        before = size_of_cone(t);
        for (unsigned i = 0; i < vec_len(t->block_steps); i++) {
            const Transition *x = &block_step(t, i)->step;
            for (size_t k = 0; k < vec_len(x->updates); k++)
                if (t->cone[x->updates[k].variable]) expr_symbols(x->updates[k].value, use_symbol, t);
        }
    }
    for (size_t u = 0; u < vec_len(s->threads); u++)
        if (s->threads[u].self != NONE && t->abstraction->relevant[s->threads[u].self]) t->cone[s->threads[u].self] = true;
    for (unsigned i = 0; i < vec_len(t->block_steps) && t->vocabulary != VOCABULARY_MODULAR; i++)
        t->cone[place_of(t->abstraction, block_step(t, i)->thread)] = true;
}

bool tree_may_mention(const Tree *t, unsigned thread, unsigned v) {
    const Abstraction *a = t->abstraction;
    if (v >= a->shared || !t->cone[v]) return false;
    if (v >= vec_len(a->system->variables)) return v != place_of(a, thread);
    unsigned owner = a->system->variables[v].thread;
    return a->relevant[v] && (owner == NONE || owner == thread || t->vocabulary == VOCABULARY_ALL);
}

bool tree_may_relate(const Tree *t, unsigned thread, unsigned v) {
    const Abstraction *a = t->abstraction;
    if (v >= a->shared) v -= a->shared;
    if (v >= vec_len(a->system->variables)) return t->cone[v];
    unsigned owner = a->system->variables[v].thread;
    return t->cone[v] && a->relevant[v] && (owner == NONE || v == a->system->threads[thread].self || t->vocabulary == VOCABULARY_ALL);
}

/* ---- learnt predicates ---- */

static void relate_all(Abstraction *a, unsigned thread, const Expr *e) {
    abstraction_relate(a, thread, e);
    for (size_t i = 0; i < symmetric_count(a->symmetric, thread); i++) {
        const Expr *other = symmetric_formula(a->symmetric, thread, i, e);
        if (other) abstraction_relate(a, symmetric_thread(a->symmetric, thread, i), other);
    }
}

/* Adds a transition predicate of a thread, also renamed for threads symmetric to it. The predicate affects the other threads of the tree, so
   the renamings for threads symmetric to these are added as well. */
static bool learn_relation(const Tree *t, unsigned thread, const Expr *e) {
    Abstraction *a = t->abstraction;
    bool grown = abstraction_relate(a, thread, e);
    if (!grown) return false;
    relate_all(a, thread, e);
    for (size_t k = 0; k < vec_len(t->threads); k++)
        for (size_t i = 0; t->threads[k] != thread && i < symmetric_count(a->symmetric, t->threads[k]); i++) {
            const Expr *other = symmetric_formula(a->symmetric, t->threads[k], i, e);
            bool same = symmetric_thread(a->symmetric, t->threads[k], i) == thread;
            if (other && other != e) relate_all(a, same ? t->threads[k] : thread, other);
        }
    return true;
}

bool tree_learn(const Tree *t, TreeItem item, const Expr *e) {
    Abstraction *a = t->abstraction;
    if (item.env) return learn_relation(t, aret_block_step(t->aret, item.index)->thread, e);
    const Node *n = &t->aret->nodes[item.index];
    bool grown = abstraction_track(a, n->thread, n->location, e);
    for (size_t i = 0; i < symmetric_count(a->symmetric, n->thread) && grown; i++) {
        const Expr *other = symmetric_formula(a->symmetric, n->thread, i, e);
        if (other) abstraction_track(a, symmetric_thread(a->symmetric, n->thread, i), n->location, other);
    }
    return grown;
}

/* ---- the tree ---- */

static void find_threads(Tree *t) {
    for (unsigned i = 0; i < vec_len(t->block_steps); i++) {
        unsigned thread = block_step(t, i)->thread;
        bool known = false;
        for (size_t k = 0; k < vec_len(t->threads); k++) known |= t->threads[k] == thread;
        if (!known) vec_push(t->threads, thread);
    }
}

void tree_open(Tree *t, Aret *r, Vocabulary vocabulary) {
    *t = (Tree){.aret = r, .abstraction = r->abstraction, .vocabulary = vocabulary};
    Collecting c = {.tree = t};
    vec_resize(c.has_node, vec_len(r->nodes));
    vec_resize(c.has_env, vec_len(r->envs));
    collect_node(&c, r->error);
    vec_push(t->block_steps, r->bad);
    vec_free(c.has_node);
    vec_free(c.has_env);
    find_cone(t);
    find_threads(t);
}

void tree_close(Tree *t) {
    vec_free(t->items);
    vec_free(t->block_steps);
    vec_free(t->cone);
    vec_free(t->threads);
}
