/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic sections become single transitions.

   requires  a system
   ensures   the same behaviours between locations where other threads may run; an atomic location is gone if it is on no
             cycle of its own and at most LIMIT transitions lead through it, two by two composed
   breaks    transitions are numbered anew

   Nobody else moves while a thread is at an atomic location, so a transition into it and one out of it are one. That
   makes `wait until the flag is down, raise it` of two or three actions what it is: one transition with the guard
   "the flag is down". */
#include "transform/fuse.h"
#include "base/vec.h"

enum { LIMIT = 24 };

static void drop(Transition *tr) {
    vec_free(tr->updates);
    vec_free(tr->inputs);
    vec_free(tr->actions);
}

static unsigned either(unsigned a, unsigned b) { return a == NONE ? b : a; }

static Transition composed(const System *s, const Transition *x, const Transition *y) {
    Transition r = *x;
    r.target = y->target;
    r.guard = expr_and(s->exprs, x->guard, transition_after(s, x, y->guard));
    r.updates = NULL;
    r.inputs = NULL;
    r.actions = NULL;
    for (size_t i = 0; i < vec_len(x->updates); i++)
        if (!transition_update(y, x->updates[i].variable)) vec_push(r.updates, x->updates[i]);
    for (size_t i = 0; i < vec_len(y->updates); i++) {
        unsigned v = y->updates[i].variable;
        const Expr *value = transition_after(s, x, y->updates[i].value);
        if (value != system_expr(s, v)) vec_push(r.updates, ((Update){v, value}));
    }
    for (size_t i = 0; i < vec_len(x->inputs); i++) vec_push(r.inputs, x->inputs[i]);
    for (size_t i = 0; i < vec_len(y->inputs); i++) vec_push(r.inputs, y->inputs[i]);
    for (size_t i = 0; i < vec_len(x->actions); i++) vec_push(r.actions, x->actions[i]);
    for (size_t i = 0; i < vec_len(y->actions); i++) vec_push(r.actions, y->actions[i]);
    r.creates = either(x->creates, y->creates);
    r.joins = either(x->joins, y->joins);
    r.waits = x->waits || y->waits;
    r.lock = either(x->lock, y->lock);
    r.unlock = either(x->unlock, y->unlock);
    /* More than one of a kind, or both of one mutex: then it is none, but an assignment as any. */
    if ((x->lock != NONE && y->lock != NONE) || (x->unlock != NONE && y->unlock != NONE) || r.lock == r.unlock) r.lock = r.unlock = NONE;
    return r;
}

static void relink(SystemThread *t) {
    for (size_t l = 0; l < vec_len(t->locations); l++) vec_clear(t->locations[l].out);
    for (unsigned i = 0; i < vec_len(t->transitions); i++) {
        t->transitions[i].index = i;
        vec_push(t->locations[t->transitions[i].source].out, i);
    }
}

/* All transitions through the location composed; false if it stays. */
static bool eliminate(const System *s, SystemThread *t, unsigned l) {
    size_t in = 0, out = vec_len(t->locations[l].out);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        in += t->transitions[i].target == l;
        if (t->transitions[i].target == l && t->transitions[i].source == l) return false;
    }
    if (!in || in * out > LIMIT) return false;
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *x = &t->transitions[i];
        if (x->source == l) continue;
        if (x->target != l) {
            vec_push(all, *x);
            continue;
        }
        for (size_t k = 0; k < out; k++) {
            Transition both = composed(s, x, &t->transitions[t->locations[l].out[k]]);
            if (expr_is_false(both.guard)) drop(&both);
            else vec_push(all, both);
        }
    }
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source == l || t->transitions[i].target == l) drop(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    relink(t);
    return true;
}

void fuse_atomic_sections(System *s) {
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        SystemThread *thread = &s->threads[t];
        for (unsigned l = 0; l < vec_len(thread->locations); l++)
            if (thread->locations[l].atomic && thread->locations[l].kind == LOCATION_PLAIN && l != thread->entry) eliminate(s, thread, l);
    }
}
