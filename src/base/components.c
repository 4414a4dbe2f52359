/* SPDX-License-Identifier: Apache-2.0 */
/* Tarjan's algorithm, with an explicit stack, since graphs are deep. */
#include "base/components.h"
#include <stdbool.h>

typedef struct Visit {
    unsigned node;
    size_t edge; /* the next one to visit */
} Visit;

typedef struct Tarjan {
    unsigned *const *out;
    unsigned *number, *low; /* by node; number 0: not visited yet */
    unsigned *component;
    bool *stacked;
    unsigned *stack;
    Visit *calls;
    unsigned next, count;
} Tarjan;

static void enter(Tarjan *t, unsigned node) {
    t->number[node] = t->low[node] = ++t->next;
    vec_push(t->stack, node);
    t->stacked[node] = true;
    vec_push(t->calls, ((Visit){node, 0}));
}

static void close_component(Tarjan *t, unsigned root) {
    unsigned member;
    do {
        member = vec_pop(t->stack);
        t->stacked[member] = false;
        t->component[member] = t->count;
    } while (member != root);
    t->count++;
}

static void lower(Tarjan *t, unsigned node, unsigned to) {
    if (to < t->low[node]) t->low[node] = to;
}

static void leave(Tarjan *t, unsigned node) {
    if (t->low[node] == t->number[node]) close_component(t, node);
    (void)vec_pop(t->calls);
    if (vec_len(t->calls)) lower(t, vec_last(t->calls).node, t->low[node]);
}

static void visit(Tarjan *t, unsigned root) {
    enter(t, root);
    while (vec_len(t->calls)) {
        Visit *v = &vec_last(t->calls);
        unsigned node = v->node;
        if (v->edge == vec_len(t->out[node])) {
            leave(t, node);
            continue;
        }
        unsigned target = t->out[node][v->edge++];
        if (!t->number[target]) enter(t, target);
        else if (t->stacked[target]) lower(t, node, t->number[target]);
    }
}

unsigned *components_find(unsigned *const *out) {
    Tarjan t = {.out = out};
    size_t n = vec_len(out);
    vec_resize(t.number, n);
    vec_resize(t.low, n);
    vec_resize(t.component, n);
    vec_resize(t.stacked, n);
    for (unsigned i = 0; i < n; i++)
        if (!t.number[i]) visit(&t, i);
    vec_free(t.number);
    vec_free(t.low);
    vec_free(t.stacked);
    vec_free(t.stack);
    vec_free(t.calls);
    return t.component;
}
