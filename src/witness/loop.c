/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the shortest path back to a state by breadth-first search. Each choice has a single value, so a loop that depends on inputs may
   be missed. */
#include "witness/follow.h"
#include "base/map.h"
#include <string.h>

enum { MOST_STATES = 20000, NO_PARENT = ~0u };

typedef struct Node {
    unsigned parent;
    TraceStep step;
    Buf state;
} Node;

typedef struct Loop {
    const Program *program;
    Machine *machine;
    Inputs *inputs;
    Node *nodes; /* a vec */
    Map *seen;
    u128 *chosen;
} Loop;

static u128 choose(void *context, const Choice *c) {
    Loop *l = context;
    Candidates all = inputs_candidates(l->inputs, c);
    u128 v = all.values && all.count ? all.values[0] : 0;
    vec_push(l->chosen, v);
    return v;
}

/* Adds a state if it is new. Returns true if it is the first state again. */
static bool add(Loop *l, unsigned parent, unsigned thread, unsigned action, State *s) {
    Node n = {.parent = parent, .step = {thread, action, NULL}};
    state_encode(l->machine, s, &n.state);
    bool back =
        vec_len(l->nodes) && n.state.length == l->nodes[0].state.length && !memcmp(n.state.text, l->nodes[0].state.text, n.state.length);
    uint64_t hash = hash_bytes(n.state.text, n.state.length, 5);
    if (!back && map_get(l->seen, hash, NULL)) {
        buf_free(&n.state);
        return false;
    }
    map_put(l->seen, hash, 1);
    n.step.choices = vec_copy(l->chosen);
    vec_push(l->nodes, n);
    return back;
}

static bool expand(Loop *l, unsigned node, State *s) {
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Template *template_ = l->program->templates[state_template(s, t)];
        const unsigned *out = template_->locations[state_location(s, t)].out;
        for (size_t i = 0; i < vec_len(out); i++) {
            State *copy = state_copy(l->machine, s);
            Chooser chooser = {choose, l};
            vec_clear(l->chosen);
            LocationKind kind = template_->locations[template_->actions[out[i]].target].kind;
            bool done = (kind == LOCATION_PLAIN || kind == LOCATION_END) &&
                        machine_step(l->machine, copy, t, out[i], &chooser, NULL).status == STEP_DONE;
            bool back = done && add(l, node, t, out[i], copy);
            state_free(l->machine, copy);
            if (back) return true;
        }
    }
    return false;
}

static void add_steps(const Loop *l, Trace *t) {
    unsigned *way = NULL;
    for (unsigned n = (unsigned)vec_len(l->nodes) - 1; n; n = l->nodes[n].parent) vec_push(way, n);
    for (size_t i = vec_len(way); i-- > 0;) trace_add_copy(t, &l->nodes[way[i]].step);
    vec_free(way);
}

bool loop_find(const Program *p, Machine *m, Inputs *inputs, const State *from, Trace *t) {
    Loop l = {.program = p, .machine = m, .inputs = inputs, .seen = map_new()};
    State *s = state_copy(m, from);
    bool found = false;
    add(&l, NO_PARENT, 0, 0, s);
    for (unsigned i = 0; i < vec_len(l.nodes) && i < MOST_STATES && !found; i++) {
        state_decode(m, s, l.nodes[i].state.text, l.nodes[i].state.length);
        found = expand(&l, i, s);
    }
    if (found) add_steps(&l, t);
    for (size_t i = 0; i < vec_len(l.nodes); i++) {
        buf_free(&l.nodes[i].state);
        vec_free(l.nodes[i].step.choices);
    }
    vec_free(l.nodes);
    vec_free(l.chosen);
    map_free(l.seen);
    state_free(m, s);
    return found;
}
