/* SPDX-License-Identifier: Apache-2.0 */
/* Tarjan's algorithm, with a stack of our own: graphs are deep. */
#include "analysis/graph.h"

typedef struct Visit {
    unsigned location;
    size_t edge; /* next to look at */
} Visit;

typedef struct Tarjan {
    const Template *template_;
    unsigned *number, *low; /* by location; number 0: not visited yet */
    unsigned *component;
    bool *stacked;
    unsigned *stack;
    Visit *calls;
    unsigned next, count;
} Tarjan;

static void enter(Tarjan *t, unsigned location) {
    t->number[location] = t->low[location] = ++t->next;
    vec_push(t->stack, location);
    t->stacked[location] = true;
    vec_push(t->calls, ((Visit){location, 0}));
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

static void lower(Tarjan *t, unsigned location, unsigned to) {
    if (to < t->low[location]) t->low[location] = to;
}

static void leave(Tarjan *t, unsigned location) {
    if (t->low[location] == t->number[location]) close_component(t, location);
    (void)vec_pop(t->calls);
    if (vec_len(t->calls)) lower(t, vec_last(t->calls).location, t->low[location]);
}

static void visit(Tarjan *t, unsigned root) {
    enter(t, root);
    while (vec_len(t->calls)) {
        Visit *v = &vec_last(t->calls);
        unsigned l = v->location;
        const Location *location = &t->template_->locations[l];
        if (v->edge == vec_len(location->out)) {
            leave(t, l);
            continue;
        }
        unsigned target = t->template_->actions[location->out[v->edge++]].target;
        if (!t->number[target]) enter(t, target);
        else if (t->stacked[target]) lower(t, l, t->number[target]);
    }
}

unsigned *graph_components(const Template *template_) {
    Tarjan t = {.template_ = template_};
    size_t n = vec_len(template_->locations);
    vec_resize(t.number, n);
    vec_resize(t.low, n);
    vec_resize(t.component, n);
    vec_resize(t.stacked, n);
    for (unsigned l = 0; l < n; l++)
        if (!t.number[l]) visit(&t, l);
    vec_free(t.number);
    vec_free(t.low);
    vec_free(t.stacked);
    vec_free(t.stack);
    vec_free(t.calls);
    return t.component;
}
