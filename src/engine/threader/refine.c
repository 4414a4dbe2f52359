/* SPDX-License-Identifier: Apache-2.0 */
/* What led to an error, as Horn clauses without recursion: an unknown for each abstract state and each environment transition that it took. A solution
   in the vocabulary excludes it, and its parts are new predicates. */
#include "base/clock.h"
#include "base/vec.h"
#include "engine/threader/aret.h"
#include "smt/horn.h"
#include <stdio.h>

enum { SOLVE_MS = 4000 };

typedef struct Unknown {
    const Symbol *predicate;
    unsigned *arguments; /* a vec of variables of the extended system */
} Unknown;

typedef struct Tree {
    Aret *aret;
    Abstraction *abstraction;
    Vocabulary vocabulary;
    Horn *horn;
    unsigned *nodes, *envs; /* vecs, those that others need first */
    bool *has_node, *has_env;
    bool *cone; /* by variable or place: guards depend on it */
    Unknown *of_node, *of_env; /* by node, by env: those of the tree */
} Tree;

/* ---- what belongs to it ---- */

static void collect_node(Tree *t, unsigned node) {
    const Node *n = &t->aret->nodes[node];
    if (t->has_node[node]) return;
    t->has_node[node] = true;
    if (n->parent != NONE) collect_node(t, n->parent);
    if (n->env != NONE && !t->has_env[n->env]) {
        t->has_env[n->env] = true;
        collect_node(t, t->aret->envs[n->env].source);
        vec_push(t->envs, n->env);
    }
    vec_push(t->nodes, node);
}

static bool use_symbols(Tree *t, const Expr *e);

static void use_symbol(void *context, const Symbol *s) {
    Tree *t = context;
    unsigned v = system_variable(t->abstraction->system, s);
    if (v != NONE) t->cone[v] = true;
}

static bool use_symbols(Tree *t, const Expr *e) {
    expr_symbols(e, use_symbol, t);
    return true;
}

static const Letter *letter(const Tree *t, unsigned i) { return &t->abstraction->letters->list[i]; }

/* Letters of the tree, with those of environment transitions; a vec. */
static unsigned *letters_of(const Tree *t) {
    unsigned *list = NULL;
    for (size_t i = 0; i < vec_len(t->nodes); i++)
        if (t->aret->nodes[t->nodes[i]].letter != NONE) vec_push(list, t->aret->nodes[t->nodes[i]].letter);
    for (size_t i = 0; i < vec_len(t->envs); i++) vec_push(list, t->aret->envs[t->envs[i]].letter);
    vec_push(list, t->aret->bad);
    return list;
}

/* Variables that a guard asks for, and what these are computed from; numbers of many. */
static void find_cone(Tree *t) {
    const System *s = t->abstraction->system;
    unsigned *list = letters_of(t);
    vec_resize(t->cone, t->abstraction->shared);
    for (size_t i = 0; i < vec_len(list); i++) use_symbols(t, letter(t, list[i])->step.guard);
    for (bool again = true; again;) {
        size_t before = 0, now = 0;
        for (size_t v = 0; v < vec_len(t->cone); v++) before += t->cone[v];
        for (size_t i = 0; i < vec_len(list); i++) {
            const Transition *x = &letter(t, list[i])->step;
            for (size_t k = 0; k < vec_len(x->updates); k++)
                if (t->cone[x->updates[k].variable]) use_symbols(t, x->updates[k].value);
        }
        for (size_t v = 0; v < vec_len(t->cone); v++) now += t->cone[v];
        again = now > before;
    }
    for (size_t u = 0; u < vec_len(s->threads); u++)
        if (s->threads[u].self != NONE && t->abstraction->relevant[s->threads[u].self]) t->cone[s->threads[u].self] = true;
    for (size_t i = 0; i < vec_len(list) && t->vocabulary != VOCABULARY_MODULAR; i++)
        t->cone[place_of(t->abstraction, letter(t, list[i])->thread)] = true;
    vec_free(list);
}

/* May formulas of the thread (NONE: relations of any) speak of it? */
static bool may_speak(const Tree *t, unsigned thread, unsigned v) {
    const Abstraction *a = t->abstraction;
    if (!t->cone[v]) return false;
    if (v >= vec_len(a->system->variables)) return t->vocabulary != VOCABULARY_MODULAR && v != place_of(a, thread);
    unsigned owner = a->system->variables[v].thread;
    return a->relevant[v] && (owner == NONE || owner == thread || t->vocabulary == VOCABULARY_ALL);
}

/* … its relations? */
static bool may_relate(const Tree *t, unsigned thread, unsigned v) {
    const Abstraction *a = t->abstraction;
    if (v >= vec_len(a->system->variables)) return t->cone[v];
    unsigned owner = a->system->variables[v].thread;
    return t->cone[v] && a->relevant[v] && (owner == NONE || v == a->system->threads[thread].self || t->vocabulary == VOCABULARY_ALL);
}

static void declare(Tree *t, Unknown *u, char kind, unsigned number) {
    const Sort **sorts = NULL;
    char name[32];
    for (size_t i = 0; i < vec_len(u->arguments); i++) vec_push(sorts, t->abstraction->extended->variables[u->arguments[i]].symbol->sort);
    snprintf(name, sizeof name, "%c%u", kind, number);
    u->predicate = horn_predicate(t->horn, name, (unsigned)vec_len(sorts), sorts);
    vec_free(sorts);
}

static void declare_all(Tree *t) {
    const Abstraction *a = t->abstraction;
    vec_resize(t->of_node, vec_len(t->aret->nodes));
    vec_resize(t->of_env, vec_len(t->aret->envs));
    for (size_t i = 0; i < vec_len(t->nodes); i++) {
        Unknown *u = &t->of_node[t->nodes[i]];
        for (unsigned v = 0; v < a->shared; v++)
            if (may_speak(t, t->aret->nodes[t->nodes[i]].thread, v)) vec_push(u->arguments, v);
        declare(t, u, 'R', t->nodes[i]);
    }
    for (size_t i = 0; i < vec_len(t->envs); i++) {
        const Letter *l = aret_letter(t->aret, t->envs[i]);
        unsigned *written = abstraction_written(a, l);
        Unknown *u = &t->of_env[t->envs[i]];
        for (unsigned v = 0; v < a->shared; v++)
            if (may_relate(t, l->thread, v)) vec_push(u->arguments, v);
        for (size_t k = 0; k < vec_len(written); k++)
            if (may_relate(t, l->thread, written[k])) vec_push(u->arguments, after_of(a, written[k]));
        vec_free(written);
        declare(t, u, 'E', t->envs[i]);
    }
}

/* ---- clauses ---- */

/* The unknown of these values: of a variable, what the step makes of it (NULL: as it is). */
static const Expr *atom(const Tree *t, const Unknown *u, const Transition *step) {
    const Abstraction *a = t->abstraction;
    const Expr **values = NULL;
    for (size_t i = 0; i < vec_len(u->arguments); i++)
        vec_push(values, step ? transition_value(a->extended, step, u->arguments[i]) : abstraction_expr(a, u->arguments[i]));
    const Expr *e = expr_apply(a->exprs, u->predicate, (unsigned)vec_len(values), values);
    vec_free(values);
    return e;
}

/* An environment transition as it is applied to a thread at a location. */
static const Expr *env_atom(const Tree *t, unsigned env, unsigned thread, unsigned location) {
    const Abstraction *a = t->abstraction;
    const Unknown *u = &t->of_env[env];
    unsigned actor = aret_letter(t->aret, env)->thread, self = a->system->threads[actor].self;
    const Expr **values = NULL;
    for (size_t i = 0; i < vec_len(u->arguments); i++) {
        unsigned v = u->arguments[i];
        const Expr *e = abstraction_expr(a, v);
        if (actor == thread && v == self) e = abstraction_expr(a, a->system->threads[a->system->threads[actor].twin].self);
        if (v == place_of(a, thread)) e = expr_int(a->exprs, location);
        vec_push(values, e);
    }
    const Expr *e = expr_apply(a->exprs, u->predicate, (unsigned)vec_len(values), values);
    vec_free(values);
    return e;
}

static void clause_of_node(Tree *t, unsigned node) {
    Abstraction *a = t->abstraction;
    const Node *n = &t->aret->nodes[node];
    char name[32];
    snprintf(name, sizeof name, "node.%u", node);
    if (n->parent == NONE) {
        const Transition *start = hoare_transition(a->hoare, a->start[n->thread]);
        horn_clause(t->horn, name, start->guard, 0, NULL, atom(t, &t->of_node[node], NULL));
        return;
    }
    const Expr *body[2] = {atom(t, &t->of_node[n->parent], NULL)};
    if (n->env == NONE) {
        const Transition *step = hoare_transition(a->hoare, a->own[n->letter]);
        horn_clause(t->horn, name, step->guard, 1, body, atom(t, &t->of_node[node], step));
        return;
    }
    body[1] = env_atom(t, n->env, n->thread, n->location);
    const Transition *step = hoare_transition(a->hoare, aret_step(t->aret, n->env, n->thread, n->location));
    unsigned actor = aret_letter(t->aret, n->env)->thread;
    const Expr *numbers = abstraction_numbers(a, n->thread, actor == n->thread ? a->system->threads[actor].twin : actor);
    horn_clause(t->horn, name, numbers, 2, body, atom(t, &t->of_node[node], step));
}

static void clause_of_env(Tree *t, unsigned env) {
    Abstraction *a = t->abstraction;
    const Env *e = &t->aret->envs[env];
    const Transition *step = hoare_transition(a->hoare, a->relational[e->letter]);
    const Expr *body = atom(t, &t->of_node[e->source], NULL);
    char name[32];
    snprintf(name, sizeof name, "env.%u", env);
    horn_clause(t->horn, name, step->guard, 1, &body, atom(t, &t->of_env[env], step));
}

static void clauses(Tree *t) {
    Abstraction *a = t->abstraction;
    for (size_t i = 0; i < vec_len(t->nodes); i++) clause_of_node(t, t->nodes[i]);
    for (size_t i = 0; i < vec_len(t->envs); i++) clause_of_env(t, t->envs[i]);
    const Expr *body = atom(t, &t->of_node[t->aret->error], NULL);
    horn_clause(t->horn, "error", hoare_transition(a->hoare, a->own[t->aret->bad])->guard, 1, &body, NULL);
}

/* ---- solutions ---- */

static const Expr *solution(Tree *t, const Unknown *u) {
    const Expr **args = NULL;
    for (size_t i = 0; i < vec_len(u->arguments); i++) vec_push(args, abstraction_expr(t->abstraction, u->arguments[i]));
    const Expr *e = horn_solution(t->horn, u->predicate, args);
    vec_free(args);
    return e;
}

static bool learn(Tree *t) {
    bool grown = false;
    for (size_t i = 0; i < vec_len(t->nodes); i++) {
        const Node *n = &t->aret->nodes[t->nodes[i]];
        const Expr *e = solution(t, &t->of_node[t->nodes[i]]);
        if (e) grown |= abstraction_track(t->abstraction, n->thread, n->location, e);
    }
    for (size_t i = 0; i < vec_len(t->envs); i++) {
        const Expr *e = solution(t, &t->of_env[t->envs[i]]);
        if (e) grown |= abstraction_relate(t->abstraction, aret_letter(t->aret, t->envs[i])->thread, e);
    }
    return grown;
}

static void free_unknowns(Unknown *list) {
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].arguments);
    vec_free(list);
}

Lesson refine_with(Aret *r, Vocabulary vocabulary, double deadline) {
    Tree t = {.aret = r, .abstraction = r->abstraction, .vocabulary = vocabulary, .horn = horn_new(r->abstraction->smt)};
    Lesson lesson = LESSON_NOTHING;
    vec_resize(t.has_node, vec_len(r->nodes));
    vec_resize(t.has_env, vec_len(r->envs));
    collect_node(&t, r->error);
    find_cone(&t);
    declare_all(&t);
    clauses(&t);
    double left = (deadline - clock_seconds()) * 1000;
    unsigned limit = left < 1 ? 1 : left < SOLVE_MS ? (unsigned)left : SOLVE_MS;
    switch (horn_solve(t.horn, (HornLimits){.milliseconds = limit, .plain = true})) {
    case HORN_SOLVED: lesson = learn(&t) ? LESSON_LEARNED : LESSON_NOTHING; break;
    case HORN_REFUTED: lesson = LESSON_ERROR; break;
    case HORN_UNKNOWN: break;
    }
    free_unknowns(t.of_node);
    free_unknowns(t.of_env);
    horn_free(t.horn);
    vec_free(t.nodes);
    vec_free(t.envs);
    vec_free(t.has_node);
    vec_free(t.has_env);
    vec_free(t.cone);
    return lesson;
}
