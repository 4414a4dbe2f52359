/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for endless executions under a weakly fair scheduler: a thread that can always take a step takes one. The steps of a loop lie in a
   strongly connected component of the state graph. A component has a fair loop if and only if each thread takes a step in it, or cannot move in
   one of its states. In this case, a loop through all these steps and states is fair. In the other case, some thread can move in every state but
   takes no step in the component, so every loop in it is unfair to this thread.

   The components are found by Tarjan's algorithm (1972), along the frames of the search in lasso.c. Partial order reduction is not used: it does not
   preserve fairness. */
#include "engine/explicit/lasso.h"
#include "ir/script.h"
#include "ir/wait.h"
#include <string.h>

/* ---- components ---- */

static LassoMember *member_of(Lasso *l, uint32_t handle) {
    uint64_t n = 0;
    map_get(l->numbers, handle, &n);
    return &l->members[n - 1];
}

static void lower(unsigned *low, unsigned by) {
    if (by < *low) *low = by;
}

void lasso_visit(Lasso *l, uint32_t handle, bool fresh) {
    if (!l->numbers) l->numbers = map_new();
    if (fresh) {
        unsigned n = (unsigned)vec_len(l->members);
        vec_push(l->members, ((LassoMember){handle, n, true}));
        map_put(l->numbers, handle, n + 1);
        vec_push(l->open, n);
        return;
    }
    const LassoMember *to = member_of(l, handle);
    if (vec_len(l->frames) && to->open) lower(&member_of(l, vec_last(l->frames).handle)->low, (unsigned)(to - l->members));
}

/* ---- a complete component ---- */

typedef struct Inner { /* a step within the component */
    unsigned from, to; /* members of the component */
    TraceStep step;
} Inner;

typedef struct Component {
    Lasso *lasso;
    uint32_t *handles; /* a vec of the states; the component is entered at the first one */
    Map *index;        /* handle → index in handles, + 1 */
    Inner *edges;      /* a vec */
    unsigned threads;
    bool outside;    /* in some state, no thread is in an atomic section */
    unsigned *stuck; /* a vec, by thread: a member where it cannot move, + 1; 0: it can always move */
} Component;

static void add_edge(Component *c, unsigned from, const TraceStep *s) {
    Lasso *l = c->lasso;
    size_t length = state_tuple_length(l->state);
    bool fresh;
    uint64_t to = 0;
    vec_resize(l->tuple, length);
    state_to_tuple(l->context->machine, l->state, store_components(l->store), l->tuple);
    if (!map_get(c->index, store_add(l->store, l->tuple, length, &fresh), &to)) return;
    vec_push(c->edges, ((Inner){from, (unsigned)to - 1, {s->thread, s->action, vec_copy(s->choices)}}));
}

/* Adds the edges from a member, and the threads that cannot move there. */
static void expand_member(Component *c, unsigned member) {
    Lasso *l = c->lasso;
    LassoFrame f = {.handle = c->handles[member]};
    lasso_restore(l, f.handle);
    bool section = state_atomic_thread(l->context->machine, l->state);
    c->threads = state_threads(l->state);
    c->outside |= !section;
    vec_resize(c->stuck, c->threads + 1);
    for (unsigned t = 1; t <= c->threads; t++) {
        threads_put(&f.todo, t);
        if (!section && !c->stuck[t] && !state_can_move(l->context->machine, l->state, t)) c->stuck[t] = member + 1;
    }
    context_check_waits(l->context);
    while (lasso_next_step(l, &f)) {
        add_edge(c, member, &f.step);
        lasso_restore(l, f.handle);
    }
    vec_free(f.picks);
    vec_free(f.step.choices);
}

static const Inner *edge_of(const Component *c, unsigned thread) {
    for (size_t i = 0; i < vec_len(c->edges); i++)
        if (c->edges[i].step.thread == thread) return &c->edges[i];
    return NULL;
}

static bool is_fair(const Component *c) {
    for (unsigned t = 1; t <= c->threads && c->outside; t++)
        if (!c->stuck[t] && !edge_of(c, t)) return false;
    return vec_len(c->edges);
}

/* ---- a fair loop through the component ---- */

/* Appends the fewest steps that lead from *at to the member `to`, and sets *at to it. Breadth-first search. */
static void go_to(const Component *c, Trace *t, unsigned *at, unsigned to) {
    unsigned *by = NULL, *work = NULL, *path = NULL; /* by member: the edge that leads there, + 1 */
    vec_resize(by, vec_len(c->handles));
    vec_push(work, *at);
    for (size_t next = 0; next < vec_len(work) && *at != to && !by[to]; next++)
        for (unsigned i = 0; i < vec_len(c->edges); i++) {
            const Inner *e = &c->edges[i];
            if (e->from != work[next] || by[e->to] || e->to == *at) continue;
            by[e->to] = i + 1;
            vec_push(work, e->to);
        }
    for (unsigned m = to; m != *at; m = c->edges[by[m] - 1].from) vec_push(path, by[m] - 1);
    while (vec_len(path)) trace_add_copy(t, &c->edges[vec_pop(path)].step);
    *at = to;
    vec_free(by);
    vec_free(work);
    vec_free(path);
}

static void take_edge(const Component *c, Trace *t, unsigned *at, const Inner *e) {
    go_to(c, t, at, e->from);
    trace_add_copy(t, &e->step);
    *at = e->to;
}

/* Returns the stem to the component, and a loop in which every thread takes a step or visits a state where it cannot move. */
static Trace *fair_way(const Component *c) {
    Trace *t = lasso_stem(c->lasso, vec_len(c->lasso->frames) - 1);
    unsigned at = 0;
    t->loop = vec_len(t->steps);
    for (unsigned n = 1; n <= c->threads; n++) {
        const Inner *e = edge_of(c, n);
        if (e) take_edge(c, t, &at, e);
        else if (c->stuck[n]) go_to(c, t, &at, c->stuck[n] - 1);
    }
    go_to(c, t, &at, 0);
    return t;
}

static void component_free(Component *c) {
    for (size_t i = 0; i < vec_len(c->edges); i++) vec_free(c->edges[i].step.choices);
    vec_free(c->edges);
    vec_free(c->handles);
    vec_free(c->stuck);
    map_free(c->index);
}

/* Completes the component of `root`: the open members from `root` on. The last frame has entered it. Returns true if it has a fair loop. */
static bool complete(Lasso *l, unsigned root) {
    Component c = {.lasso = l, .index = map_new()};
    unsigned n;
    do {
        n = vec_pop(l->open);
        l->members[n].open = false;
        vec_push(c.handles, l->members[n].handle);
    } while (n != root);
    c.handles[vec_len(c.handles) - 1] = c.handles[0];
    c.handles[0] = l->members[root].handle;
    for (size_t i = 0; i < vec_len(c.handles); i++) map_put(c.index, c.handles[i], i + 1);
    for (unsigned i = 0; i < vec_len(c.handles); i++) expand_member(&c, i);
    bool found = is_fair(&c) && lasso_found(l, fair_way(&c));
    component_free(&c);
    return found;
}

bool lasso_leave(Lasso *l) {
    size_t n = vec_len(l->frames);
    LassoMember *m = member_of(l, l->frames[n - 1].handle);
    unsigned number = (unsigned)(m - l->members);
    if (n > 1) lower(&member_of(l, l->frames[n - 2].handle)->low, m->low);
    return m->low == number && complete(l, number);
}

void lasso_free_members(Lasso *l) {
    vec_free(l->members);
    vec_free(l->open);
    map_free(l->numbers);
}

/* ---- the fairness of one lasso ---- */

bool fairness_holds(Context *c, const Trace *t) {
    Script script = {.choices = t->initial};
    Chooser chooser = script_chooser(&script);
    State *s = state_initial(c->machine, &chooser);
    bool good = lasso_replay(c, s, t, 0, t->loop), outside = false, *served = NULL;
    vec_resize(served, state_threads(s) + 1);
    for (size_t i = t->loop; i < vec_len(t->steps) && good; i++) {
        good = lasso_replay(c, s, t, i, i + 1);
        vec_resize(served, state_threads(s) + 1);
        served[t->steps[i].thread] = true;
        outside |= !state_atomic_thread(c->machine, s);
        for (unsigned n = 1; n <= state_threads(s) && !state_atomic_thread(c->machine, s); n++)
            if (!served[n]) served[n] = !state_can_move(c->machine, s, n);
    }
    for (size_t n = 1; n < vec_len(served) && outside; n++) good = good && served[n];
    vec_free(served);
    state_free(c->machine, s);
    return good;
}
