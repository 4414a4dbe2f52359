/* SPDX-License-Identifier: Apache-2.0 */
/* See system.h. */
#include "system/system.h"
#include <stdlib.h>

System *system_empty(Exprs *x) {
    System *s = zeroed(1, sizeof *s);
    s->exprs = x;
    s->arena = arena_new();
    s->index = map_new();
    return s;
}

void transition_free(Transition *t) {
    vec_free(t->updates);
    vec_free(t->inputs);
    vec_free(t->actions);
}

static void free_thread(SystemThread *t) {
    for (size_t i = 0; i < vec_len(t->transitions); i++) transition_free(&t->transitions[i]);
    for (size_t i = 0; i < vec_len(t->locations); i++) {
        vec_free(t->locations[i].out);
        vec_free(t->locations[i].live);
    }
    vec_free(t->transitions);
    vec_free(t->locations);
}

void system_free(System *s) {
    if (!s) return;
    system_free(s->fine);
    for (size_t t = 0; t < vec_len(s->threads); t++) free_thread(&s->threads[t]);
    vec_free(s->threads);
    vec_free(s->variables);
    vec_free(s->fills);
    map_free(s->index);
    arena_free(s->arena);
    free(s);
}

#define COPIED(to, from, type)                                                     \
    do {                                                                           \
        type *copy_ = NULL;                                                        \
        for (size_t i_ = 0; i_ < vec_len(from); i_++) vec_push(copy_, (from)[i_]); \
        (to) = copy_;                                                              \
    } while (0)

Transition transition_copy(const Transition *t) {
    Transition n = *t;
    COPIED(n.updates, t->updates, Update);
    COPIED(n.inputs, t->inputs, const Symbol *);
    COPIED(n.actions, t->actions, unsigned);
    return n;
}

static SystemThread thread_copy(const SystemThread *t) {
    SystemThread n = *t;
    COPIED(n.locations, t->locations, SystemLocation);
    COPIED(n.transitions, t->transitions, Transition);
    for (size_t l = 0; l < vec_len(n.locations); l++) {
        COPIED(n.locations[l].out, t->locations[l].out, unsigned);
        COPIED(n.locations[l].live, t->locations[l].live, unsigned);
    }
    for (size_t i = 0; i < vec_len(n.transitions); i++) n.transitions[i] = transition_copy(&t->transitions[i]);
    return n;
}

System *system_copy(const System *s) {
    System *n = system_empty(s->exprs);
    n->integers = s->integers;
    for (size_t v = 0; v < vec_len(s->variables); v++) system_add_variable(n, s->variables[v]);
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(n->threads, thread_copy(&s->threads[t]));
    return n;
}

unsigned system_add_variable(System *s, SystemVariable v) {
    ensure(v.symbol && system_variable(s, v.symbol) == NONE);
    ensure(v.thread == NONE || v.owner == NONE);
    vec_push(s->variables, v);
    map_put(s->index, map_key(v.symbol), vec_len(s->variables));
    return (unsigned)vec_len(s->variables) - 1;
}

const Expr *system_number(const System *s, unsigned thread, const Sort *sort) {
    ensure(thread < vec_len(s->threads));
    const SystemThread *t = &s->threads[thread];
    return t->self == NONE ? expr_const(s->exprs, sort, thread + 1) : system_expr(s, t->self);
}

bool system_has_many(const System *s) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) return true;
    return false;
}

const Expr *system_self(const System *s, unsigned thread) {
    unsigned self = s->threads[thread].self;
    return self == NONE ? NULL : system_expr(s, self);
}

const Expr *system_numbers(const System *s, unsigned n, const Expr *const *numbers) {
    ensure(n && numbers);
    Exprs *x = s->exprs;
    const Expr *e = expr_bool(x, true);
    for (unsigned i = 0; i < n; i++) {
        if (!numbers[i]) continue;
        e = expr_and(x, e, expr_2(x, s->integers ? OP_SLT : OP_ULT, expr_const(x, numbers[i]->sort, vec_len(s->threads)), numbers[i]));
        for (unsigned k = 0; k < i; k++)
            if (numbers[k]) e = expr_and(x, e, expr_not(x, expr_eq(x, numbers[i], numbers[k])));
    }
    return e;
}

unsigned system_first_instance(const System *s, unsigned thread) {
    ensure(thread < vec_len(s->threads));
    unsigned twin = s->threads[thread].other_instance;
    return twin != NONE && twin < thread ? twin : thread;
}

unsigned system_variable(const System *s, const Symbol *symbol) {
    uint64_t n;
    return map_get(s->index, map_key(symbol), &n) ? (unsigned)n - 1 : NONE;
}

typedef struct Values {
    const System *system;
    const Expr *const *values;
} Values;

static const Expr *value_of(void *context, const Expr *e) {
    const Values *with = context;
    unsigned v = system_variable(with->system, e->symbol);
    return v == NONE ? NULL : with->values[v];
}

const Expr *system_with(const System *s, const Expr *const *values, const Expr *e) {
    return values ? expr_substitute(s->exprs, e, value_of, &(Values){s, values}) : e;
}

bool system_is_live(const System *s, const unsigned *locations, unsigned variable) {
    ensure(variable < vec_len(s->variables));
    unsigned t = s->variables[variable].thread;
    if (t == NONE) return true;
    const unsigned *live = s->threads[t].locations[locations[t]].live;
    return vec_has(live, variable);
}

const Expr *transition_update(const Transition *t, unsigned variable) {
    for (size_t i = 0; i < vec_len(t->updates); i++)
        if (t->updates[i].variable == variable) return t->updates[i].value;
    return NULL;
}

typedef struct After {
    const System *system;
    const Transition *transition;
} After;

static const Expr *image(void *context, const Expr *e) {
    const After *a = context;
    unsigned v = system_variable(a->system, e->symbol);
    return v == NONE ? NULL : transition_update(a->transition, v);
}

const Expr *transition_after(const System *s, const Transition *t, const Expr *e) {
    ensure(t && e);
    After a = {s, t};
    return expr_substitute(s->exprs, e, image, &a);
}

/* ---- relevance ---- */

typedef struct Mark {
    const System *system;
    bool *set;
    unsigned *work; /* a vec of marked variables; the variables that they are computed from are not marked yet */
} Mark;

static void mark(void *context, const Symbol *s) {
    Mark *m = context;
    unsigned v = system_variable(m->system, s);
    if (v == NONE || m->set[v]) return;
    m->set[v] = true;
    vec_push(m->work, v);
}

bool *system_relevant(const System *s) {
    Mark m = {.system = s};
    const Expr ***values = NULL; /* by variable: a vec of the values that transitions assign */
    vec_resize(m.set, vec_len(s->variables));
    vec_resize(values, vec_len(s->variables));
    system_each_transition(const Transition, tr, s) {
        expr_symbols(tr->guard, mark, &m);
        for (size_t u = 0; u < vec_len(tr->updates); u++) vec_push(values[tr->updates[u].variable], tr->updates[u].value);
    }
    while (vec_len(m.work)) {
        unsigned v = vec_pop(m.work);
        for (size_t i = 0; i < vec_len(values[v]); i++) expr_symbols(values[v][i], mark, &m);
    }
    vec_free_rows(values);
    vec_free(m.work);
    return m.set;
}
