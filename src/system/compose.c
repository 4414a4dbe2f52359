/* SPDX-License-Identifier: Apache-2.0 */
/* See compose.h. */
#include "system/compose.h"

#define APPEND(to, from) \
    for (size_t i_ = 0; i_ < vec_len(from); i_++) vec_push(to, (from)[i_])

/* ---- one after the other ---- */

static unsigned either(unsigned a, unsigned b) { return a == NONE ? b : a; }

bool transition_composes(const Transition *x, const Transition *y) {
    return (x->creates == NONE || y->creates == NONE) && !(x->waits && y->waits) && (x->lock == NONE || y->lock == NONE) &&
           (x->unlock == NONE || y->unlock == NONE);
}

Transition transition_then(const System *s, const Transition *x, const Transition *y) {
    ensure(x->target == y->source);
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
    APPEND(r.inputs, x->inputs);
    APPEND(r.inputs, y->inputs);
    APPEND(r.actions, x->actions);
    APPEND(r.actions, y->actions);
    r.creates = either(x->creates, y->creates);
    r.joins = either(x->joins, y->joins);
    r.waits = x->waits || y->waits;
    r.lock = either(x->lock, y->lock);
    r.unlock = either(x->unlock, y->unlock);
    /* Drops the notes on locks if both transitions lock or unlock, or if the other one assigns the mutex as well. */
    if ((x->lock != NONE && y->lock != NONE) || (x->unlock != NONE && y->unlock != NONE)) r.lock = r.unlock = NONE;
    const Transition *beside_lock = x->lock != NONE ? y : x, *beside_unlock = x->unlock != NONE ? y : x;
    if (r.lock != NONE && transition_update(beside_lock, r.lock)) r.lock = NONE;
    if (r.unlock != NONE && transition_update(beside_unlock, r.unlock)) r.unlock = NONE;
    return r;
}

/* ---- one of two ---- */

const Expr **conjuncts(const Expr *e) {
    const Expr **list = NULL;
    if (e->op != OP_AND) {
        if (!expr_is_true(e)) vec_push(list, e);
        return list;
    }
    for (unsigned i = 0; i < e->nargs; i++) vec_push(list, e->args[i]);
    return list;
}

/* Returns a conjunct of a whose negation is a conjunct of b, or NULL. */
static const Expr *difference(const System *s, const Expr *const *a, const Expr *const *b) {
    for (size_t i = 0; i < vec_len(a); i++)
        if (vec_has(b, expr_not(s->exprs, a[i]))) return a[i];
    return NULL;
}

/* Returns the conjunction of the conjuncts of a that are not in b, except for `but`. */
static const Expr *remainder_of(const System *s, const Expr *const *a, const Expr *const *b, const Expr *but) {
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(a); i++)
        if (a[i] != but && !vec_has(b, a[i])) e = expr_and(s->exprs, e, a[i]);
    return e;
}

static const Expr *common(const System *s, const Expr *const *a, const Expr *const *b) {
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(a); i++)
        if (vec_has(b, a[i])) e = expr_and(s->exprs, e, a[i]);
    return e;
}

/* Returns c ? a : b, or NULL. Arrays may differ in one element only: a choice between arrays is hard for solvers. c: NULL if it is
   unknown. */
static const Expr *chosen(const System *s, const Expr *c, const Expr *a, const Expr *b) {
    Exprs *x = s->exprs;
    if (a == b) return a;
    if (!c) return NULL;
    if (a->sort->kind != SORT_ARRAY) return expr_ite(x, c, a, b);
    bool a_stores = a->op == OP_STORE, b_stores = b->op == OP_STORE;
    const Expr *base, *index, *first, *second;
    if (a_stores && b_stores && a->args[0] == b->args[0] && a->args[1] == b->args[1]) {
        base = a->args[0], index = a->args[1], first = a->args[2], second = b->args[2];
    } else if (a_stores && a->args[0] == b) {
        base = b, index = a->args[1], first = a->args[2], second = expr_2(x, OP_SELECT, b, index);
    } else if (b_stores && b->args[0] == a) {
        base = a, index = b->args[1], first = expr_2(x, OP_SELECT, a, index), second = b->args[2];
    } else {
        return NULL;
    }
    const Expr *args[] = {base, index, expr_ite(x, c, first, second)};
    return expr_make(x, OP_STORE, 0, 3, args);
}

static bool choose_update(const System *s, const bool *constant, const Expr *c, const Transition *x, const Transition *y, unsigned v,
                          Transition *out) {
    const Expr *a = transition_value(s, x, v), *b = transition_value(s, y, v), *value = chosen(s, c, a, b);
    if (!value || (a != b && constant[v])) return false;
    if (value != system_expr(s, v)) vec_push(out->updates, ((Update){v, value}));
    return true;
}

static bool choose_updates(const System *s, const bool *constant, const Expr *c, const Transition *x, const Transition *y,
                           Transition *out) {
    for (size_t i = 0; i < vec_len(x->updates); i++)
        if (!choose_update(s, constant, c, x, y, x->updates[i].variable, out)) return false;
    for (size_t i = 0; i < vec_len(y->updates); i++)
        if (!transition_update(x, y->updates[i].variable) && !choose_update(s, constant, c, x, y, y->updates[i].variable, out))
            return false;
    return true;
}

static void append_other_inputs(Transition *to, const Transition *from) {
    for (size_t i = 0; i < vec_len(from->inputs); i++) {
        bool there = false;
        for (size_t k = 0; k < vec_len(to->inputs); k++) there |= to->inputs[k] == from->inputs[i];
        if (!there) vec_push(to->inputs, from->inputs[i]);
    }
}

bool transition_either(const System *s, const bool *constant, const Transition *x, const Transition *y, Transition *out) {
    if (x->creates != y->creates || x->joins != y->joins || x->waits != y->waits || x->lock != y->lock || x->unlock != y->unlock)
        return false;
    const Expr **a = conjuncts(x->guard), **b = conjuncts(y->guard), *c = difference(s, a, b);
    Transition r = *x;
    r.updates = NULL;
    r.inputs = NULL;
    r.actions = NULL;
    bool done = choose_updates(s, constant, c, x, y, &r);
    if (done) {
        const Expr *first = remainder_of(s, a, b, c), *second = remainder_of(s, b, a, c ? expr_not(s->exprs, c) : NULL);
        const Expr *rest = c ? expr_ite(s->exprs, c, first, second) : expr_or(s->exprs, first, second);
        r.guard = expr_and(s->exprs, common(s, a, b), rest);
        APPEND(r.inputs, x->inputs);
        append_other_inputs(&r, y); /* both transitions may begin with the same transition, and share its inputs */
        vec_push(r.actions, ACTIONS_EITHER);
        APPEND(r.actions, x->actions);
        vec_push(r.actions, ACTIONS_OR);
        APPEND(r.actions, y->actions);
        vec_push(r.actions, ACTIONS_END);
        *out = r;
    } else {
        transition_free(&r);
    }
    vec_free(a);
    vec_free(b);
    return done;
}

/* ---- threads ---- */

void thread_relink(SystemThread *t) {
    for (size_t l = 0; l < vec_len(t->locations); l++) vec_clear(t->locations[l].out);
    for (unsigned i = 0; i < vec_len(t->transitions); i++) {
        ensure(t->transitions[i].source < vec_len(t->locations));
        t->transitions[i].index = i;
        vec_push(t->locations[t->transitions[i].source].out, i);
    }
}

static bool is_constant(const System *s, const bool *constant, const Expr *e) {
    if (e->op == OP_ITE) return is_constant(s, constant, e->args[1]) && is_constant(s, constant, e->args[2]);
    unsigned v = e->op == OP_SYMBOL ? system_variable(s, e->symbol) : NONE;
    return expr_is_const(e) || (v != NONE && constant[v]);
}

bool *system_constants(const System *s) {
    bool *constant = NULL;
    for (size_t v = 0; v < vec_len(s->variables); v++)
        vec_push(constant, s->variables[v].symbol->sort->kind != SORT_ARRAY && (s->variables[v].init || s->variables[v].thread != NONE));
    for (bool again = true; again;) {
        again = false;
        system_each_transition(const Transition, tr, s)
            for (size_t u = 0; u < vec_len(tr->updates); u++) {
                unsigned v = tr->updates[u].variable;
                if (!constant[v] || is_constant(s, constant, tr->updates[u].value)) continue;
                constant[v] = false;
                again = true;
            }
    }
    return constant;
}
