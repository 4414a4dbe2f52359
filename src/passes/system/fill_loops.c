/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces a loop that fills fresh memory with inputs by one transition: `for (i = 0; i < n; i++) a[i] = input();`.

   requires  a system of integers; no other thread accesses the loop's variables while the thread is in the loop
   ensures   the same errors are reachable
   breaks    a transition is no longer a sequence of actions: it may stand for any number of rounds

   Fresh memory holds any value: each transition into the loop sets the whole array to an input. Each array that the loop can produce is
   also a value of this input, and then filling changes nothing. So the new transition only sets i to n. The range of the elements is
   forgotten, as for memory that is not filled.

   The new transition stands for any number of rounds (ACTIONS_LOOP). In each round, the input is the element of the array at i
   (SystemFill). */
#include "passes/system/system_passes.h"
#include "system/compose.h"

typedef struct Loop {
    Transition *step;      /* the transition of one round */
    const Expr *again;     /* i < n */
    unsigned array, index; /* variables */
    const Symbol *input;
    const Expr *limit; /* n */
} Loop;

static Transition *only_round(SystemThread *t, unsigned l) {
    Transition *found = NULL;
    vec_each_at(Transition, x, t->transitions) {
        if (x->source != l || x->target != l) continue;
        if (found) return NULL;
        found = x;
    }
    return found;
}

/* True if a round is a[i] = input; i = i + 1. Sets array, index and input. */
static bool is_filling(const System *s, Loop *loop) {
    const Transition *x = loop->step;
    if (vec_len(x->updates) != 2 || vec_len(x->inputs) != 1) return false;
    unsigned first = x->updates[0].value->op == OP_STORE ? 0 : 1;
    const Update *fill = &x->updates[first], *count = &x->updates[1 - first];
    const Expr *store = fill->value, *next = count->value;
    loop->array = fill->variable;
    loop->index = count->variable;
    loop->input = x->inputs[0];
    const Expr *i = system_expr(s, loop->index);
    if (store->op != OP_STORE || store->args[0] != system_expr(s, loop->array) || store->args[1] != i) return false;
    if (store->args[2] != expr_symbol(s->exprs, loop->input)) return false;
    return i->sort->kind == SORT_INT && next == expr_2(s->exprs, OP_ADD, i, expr_int(s->exprs, 1));
}

/* True if the guard of a round is i < n and bounds of the input. Sets again and limit. */
static bool find_limit(const System *s, Loop *loop) {
    const Expr *i = system_expr(s, loop->index);
    const Expr **guard = conjuncts(loop->step->guard);
    bool good = true;
    loop->again = NULL;
    for (size_t k = 0; k < vec_len(guard) && good; k++) {
        const Expr *c = guard[k];
        if (expr_mentions(c, loop->input)) {
            good = c->op == OP_SLE && (expr_is_const(c->args[0]) || expr_is_const(c->args[1]));
        } else {
            good = !loop->again && c->op == OP_SLT && c->args[0] == i && !expr_mentions(c->args[1], i->symbol) &&
                   !expr_mentions(c->args[1], s->variables[loop->array].symbol);
            loop->again = c;
        }
    }
    vec_free(guard);
    loop->limit = loop->again ? loop->again->args[1] : NULL;
    return good && loop->again;
}

static bool leaves_at_limit(const System *s, const Loop *loop, const Transition *y) {
    const Expr **guard = conjuncts(y->guard), *ended = expr_not(s->exprs, loop->again);
    bool found = false;
    for (size_t i = 0; i < vec_len(guard); i++) found |= guard[i] == ended;
    vec_free(guard);
    return found;
}

/* True if the transition sets the array to an input that it uses for nothing else. */
static bool enters_with_any(const System *s, const Loop *loop, const Transition *x) {
    const Expr *value = transition_update(x, loop->array);
    bool any = false;
    if (!value || value->op != OP_SYMBOL || expr_mentions(x->guard, value->symbol)) return false;
    for (size_t i = 0; i < vec_len(x->inputs); i++) any |= x->inputs[i] == value->symbol;
    for (size_t u = 0; u < vec_len(x->updates); u++)
        if (x->updates[u].variable != loop->array && expr_mentions(x->updates[u].value, value->symbol)) return false;
    (void)s;
    return any;
}

static bool is_fill_loop(const System *s, SystemThread *t, unsigned l, Loop *loop) {
    loop->step = only_round(t, l);
    if (!s->integers || !loop->step || l == t->entry || t->locations[l].atomic || !is_filling(s, loop) || !find_limit(s, loop))
        return false;
    vec_each_at(const Transition, x, t->transitions) {
        if (x == loop->step) continue;
        if (x->source == l && !leaves_at_limit(s, loop, x)) return false;
        if (x->target == l && !enters_with_any(s, loop, x)) return false;
    }
    return true;
}

/* Turns the transition of one round into one that takes all rounds and leads to the location `behind`. */
static void do_all_rounds(System *s, SystemThread *t, const Loop *loop, unsigned behind) {
    Transition *x = loop->step;
    unsigned *actions = NULL;
    vec_push(actions, ACTIONS_LOOP);
    for (size_t i = 0; i < vec_len(x->actions); i++) vec_push(actions, x->actions[i]);
    vec_push(actions, ACTIONS_END);
    vec_free(x->actions);
    x->actions = actions;
    x->target = behind;
    x->guard = loop->again;
    vec_clear(x->updates);
    vec_push(x->updates, ((Update){loop->index, loop->limit}));
    vec_clear(x->inputs);
    vec_push(s->fills, ((SystemFill){loop->input, loop->array, loop->index}));
    thread_relink(t);
}

bool fill_loop(System *s, SystemThread *t, unsigned l) {
    ensure(l < vec_len(t->locations));
    Loop loop;
    if (!is_fill_loop(s, t, l, &loop)) return false;
    unsigned behind = (unsigned)vec_len(t->locations);
    SystemLocation location = t->locations[l];
    location.out = NULL;
    location.live = NULL;
    for (size_t i = 0; i < vec_len(t->locations[l].live); i++) vec_push(location.live, t->locations[l].live[i]);
    do_all_rounds(s, t, &loop, behind);
    vec_push(t->locations, location);
    for (size_t i = 0, n = vec_len(t->transitions); i < n; i++) {
        if (t->transitions[i].source != l || t->transitions[i].target == behind) continue;
        Transition copy = transition_copy(&t->transitions[i]);
        copy.source = behind;
        vec_push(t->transitions, copy);
    }
    thread_relink(t);
    return true;
}
