/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the second instance of a thread marked many the transitions of the first instance.

   requires  a system with its fine system; both instances have the same locals, in the same order, and the same actions with the
             corresponding inputs
   ensures   the second instance is a copy of the first, in its own variables and inputs
   breaks    the previous transitions of the second instance */
#include "passes/system/system_passes.h"
#include "system/compose.h"

typedef struct Renaming {
    System *system;
    Map *symbols;     /* Symbol -> Symbol */
    unsigned *number; /* by variable: the index of the variable after the renaming */
} Renaming;

static const Expr *renamed_symbol(void *context, const Expr *e) {
    const Renaming *r = context;
    const Symbol *to = map_find(r->symbols, e->symbol);
    return to ? expr_symbol(r->system->exprs, to) : NULL;
}

static const Expr *renamed(Renaming *r, const Expr *e) { return expr_substitute(r->system->exprs, e, renamed_symbol, r); }

/* Maps the locals of `from` to those of `to` in their order, and the inputs of each action of the fine system. */
static Renaming renaming_of(System *s, unsigned from, unsigned to) {
    Renaming r = {s, map_new(), NULL};
    unsigned *own[2] = {0};
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        vec_push(r.number, v);
        if (s->variables[v].thread == from) vec_push(own[0], v);
        if (s->variables[v].thread == to) vec_push(own[1], v);
    }
    for (size_t i = 0; i < vec_len(own[0]); i++) {
        r.number[own[0][i]] = own[1][i];
        map_set(r.symbols, s->variables[own[0][i]].symbol, (void *)s->variables[own[1][i]].symbol);
    }
    const Transition *x = s->fine->threads[from].transitions, *y = s->fine->threads[to].transitions;
    for (size_t i = 0; i < vec_len(x); i++)
        for (size_t k = 0; k < vec_len(x[i].inputs); k++) map_set(r.symbols, x[i].inputs[k], (void *)y[i].inputs[k]);
    vec_free(own[0]);
    vec_free(own[1]);
    return r;
}

static Transition renamed_transition(Renaming *r, const Transition *x) {
    Transition y = *x;
    y.guard = renamed(r, x->guard);
    y.updates = NULL;
    y.inputs = NULL;
    y.actions = NULL;
    for (size_t i = 0; i < vec_len(x->updates); i++)
        vec_push(y.updates, ((Update){r->number[x->updates[i].variable], renamed(r, x->updates[i].value)}));
    for (size_t i = 0; i < vec_len(x->inputs); i++) vec_push(y.inputs, map_find(r->symbols, x->inputs[i]));
    for (size_t i = 0; i < vec_len(x->actions); i++) vec_push(y.actions, x->actions[i]);
    return y;
}

void mirror_instance(System *s, unsigned from, unsigned to) {
    ensure(from != to && s->threads[from].other_instance == to && s->threads[to].other_instance == from);
    const SystemThread *x = &s->threads[from];
    SystemThread *y = &s->threads[to];
    Renaming r = renaming_of(s, from, to);
    for (size_t i = 0; i < vec_len(y->transitions); i++) transition_free(&y->transitions[i]);
    vec_clear(y->transitions);
    for (size_t l = vec_len(y->locations); l < vec_len(x->locations); l++) {
        SystemLocation location = x->locations[l];
        location.out = NULL;
        location.live = NULL;
        for (size_t i = 0; i < vec_len(x->locations[l].live); i++) vec_push(location.live, r.number[x->locations[l].live[i]]);
        vec_push(y->locations, location);
    }
    for (size_t i = 0; i < vec_len(x->transitions); i++) vec_push(y->transitions, renamed_transition(&r, &x->transitions[i]));
    thread_relink(y);
    map_free(r.symbols);
    vec_free(r.number);
}
