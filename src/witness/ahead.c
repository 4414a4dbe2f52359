/* SPDX-License-Identifier: Apache-2.0 */
/* Follows starts of threads in one state. Thousands of threads make large states, and most of the work is to copy them. While threads
   are only started, no copy is needed: the starting thread takes its steps in one state. The nodes on the way have no state; it is made
   anew if the search comes back to them. */
#include "base/map.h"
#include "witness/following.h"

enum { STARTS = 3, MOST_STEPS = 64 /* without a waypoint, since the thread may loop */ };

/* Returns whether the next waypoints are only starts of threads. */
static bool only_starts(const Follow *f, const Passed *p) {
    for (size_t i = 0; i < STARTS; i++)
        if (p->ways + i >= vec_len(f->witness->ways) || f->witness->ways[p->ways + i].kind != CLAIMED_ENTER) return false;
    return true;
}

static uint64_t place_key(unsigned template_, unsigned location) { return (uint64_t)template_ << 32 | location; }

void follow_note_taken(Follow *f, const State *s, unsigned action, unsigned location) {
    map_put(f->taken, place_key(state_template(s, f->thread), location), action + 1);
}

typedef struct Ahead {
    Follow *follow;
    State *state;
    Passed passed;
    Accesses accesses;
    unsigned action; /* the action that was taken */
    bool diverged;   /* the state is no longer that of the node */
} Ahead;

/* Tries an action in place. Returns true if it was taken. */
static bool take(Ahead *a, const Template *t, unsigned action) {
    Follow *f = a->follow;
    vec_clear(f->picks);
    vec_clear(a->accesses.list);
    Chooser chooser = follow_begin_choices(f);
    f->passed = &a->passed;
    StepResult r = machine_step(f->machine, a->state, f->thread, action, &chooser, &a->accesses);
    f->passed = NULL;
    a->action = action;
    LocationKind kind = t->locations[t->actions[action].target].kind;
    bool plain =
        !vec_len(f->chosen) && kind != LOCATION_STOP && kind != LOCATION_ERROR && t->actions[action].approximation == NO_APPROXIMATION;
    if (r.status == STEP_DONE && !plain) a->diverged = true;
    return r.status == STEP_DONE;
}

/* Takes a step if only one is possible. The action that was taken here before is tried last, so that the other actions are known to be
   disabled. */
static bool take_only(Ahead *a) {
    Follow *f = a->follow;
    const Template *t = f->program->templates[state_template(a->state, f->thread)];
    unsigned location = state_location(a->state, f->thread);
    const unsigned *out = t->locations[location].out;
    uint64_t last = 0;
    map_get(f->taken, place_key(state_template(a->state, f->thread), location), &last);
    for (size_t i = 0; i < vec_len(out); i++)
        if (out[i] + 1 != last && take(a, t, out[i])) {
            a->diverged |= vec_len(out) > 1;
            return !a->diverged;
        }
    return last && take(a, t, (unsigned)last - 1) && !a->diverged;
}

/* Adds a node for the step, and puts off the node before it. */
static unsigned add_step(Ahead *a, unsigned node, const Action *action) {
    Follow *f = a->follow;
    const ClaimedWaypoint *w = &f->witness->ways[a->passed.ways];
    unsigned ways = a->passed.ways, strays = f->nodes[node].strays;
    points_pass(&f->points, &a->passed, a->state, a->state, f->thread, action, &a->accesses, ALL_POINTS);
    a->diverged = a->passed.ways > ways + 1;
    strays = a->passed.ways > ways ? 0 : strays + points_is_at(&a->passed, f->thread, w->spot.line);
    follow_put_off(f, node);
    vec_push(f->nodes, ((Node){.parent = node,
                               .step = {f->thread, a->action, NULL},
                               .passed = {.ways = a->passed.ways},
                               .strays = strays,
                               .ran = !a->diverged}));
    f->bytes += sizeof(Node);
    if (a->passed.ways > f->most) f->most = a->passed.ways;
    return (unsigned)vec_len(f->nodes) - 1;
}

unsigned follow_run_ahead(Follow *f, unsigned node, State *s) {
    unsigned idle = 0, first = node;
    if (f->nodes[node].state.length <= SMALL || !only_starts(f, &f->nodes[node].passed)) return node;
    Ahead a = {.follow = f, .state = s, .passed = passed_copy(&f->nodes[node].passed)};
    while (!a.diverged && idle < MOST_STEPS && only_starts(f, &a.passed)) {
        const ClaimedWaypoint *w = &f->witness->ways[a.passed.ways];
        if (w->any_thread || w->thread >= vec_len(a.passed.ids)) break;
        f->thread = a.passed.ids[w->thread];
        const Template *t = f->program->templates[state_template(s, f->thread)];
        unsigned ways = a.passed.ways;
        if (!take_only(&a)) break;
        node = add_step(&a, node, &t->actions[a.action]);
        idle = a.passed.ways > ways ? 0 : idle + 1;
    }
    vec_free(a.accesses.list);
    if (node != first && !a.diverged) {
        f->nodes[node].passed = a.passed;
        f->bytes += vec_len(a.passed.marks) * sizeof *a.passed.marks;
        return node;
    }
    passed_free(&a.passed);
    if (node != first) follow_make_state(f, node, s);
    else if (a.diverged) state_decode(f->machine, s, f->nodes[node].state.text, f->nodes[node].state.length);
    return node;
}
