/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for an execution that follows a witness: a best-first search of pairs of a program state and the number of passed waypoints.
   The best states have passed many waypoints, with few steps of threads other than those of the next waypoints. A precise witness is
   therefore followed without detours.
   The search is exhaustive: if it ends, no execution follows the witness, unless inputs were only sampled. A waypoint is passed as soon
   as possible, since an execution that passes it later can pass no more waypoints. */
#include "witness/follow.h"
#include "base/clock.h"
#include "check/replay.h"
#include "ir/script.h"
#include "ir/wait.h"
#include "witness/following.h"
#include "witness/messages.h"
#include <string.h>

/* Returns whether races between accesses that are not adjacent count. A state does not record earlier steps, so such a race may be
   missed. */
static bool is_weak(const Follow *f) {
    return f->question->property == PROPERTY_NO_DATA_RACE && program_first_weak_access(f->program).file;
}

/* ---- the order of states ---- */

static bool better(const Follow *f, unsigned a, unsigned b) {
    const Node *x = &f->nodes[a], *y = &f->nodes[b];
    int64_t p = (int64_t)x->strays - (int64_t)WORTH * x->passed.ways, q = (int64_t)y->strays - (int64_t)WORTH * y->passed.ways;
    if (p != q) return p < q;
    return a > b;
}

static void heap_add(Follow *f, unsigned node) {
    vec_push(f->open, node);
    for (size_t i = vec_len(f->open) - 1; i && better(f, f->open[i], f->open[(i - 1) / 2]); i = (i - 1) / 2) {
        unsigned other = f->open[(i - 1) / 2];
        f->open[(i - 1) / 2] = f->open[i];
        f->open[i] = other;
    }
}

static unsigned heap_take(Follow *f) {
    unsigned top = f->open[0], last = vec_pop(f->open);
    size_t n = vec_len(f->open);
    if (!n) return top;
    f->open[0] = last;
    for (size_t i = 0, k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && better(f, f->open[k + 1], f->open[k])) k++;
        if (!better(f, f->open[k], f->open[i])) break;
        unsigned other = f->open[k];
        f->open[k] = f->open[i];
        f->open[i] = other;
    }
    return top;
}

/* Returns whether the pair is new, by a hash of 128 bits. */
static bool is_new(Follow *f, const Buf *state, const Passed *p) {
    uint64_t h[2], other;
    for (unsigned i = 0; i < 2; i++) {
        h[i] = hash_bytes(state->text, state->length, 7 + i);
        h[i] = hash_bytes(p->marks, vec_len(p->marks) * sizeof *p->marks, h[i]);
        h[i] = hash_bytes(p->ids, vec_len(p->ids) * sizeof *p->ids, h[i] + p->ways);
    }
    if (map_get(f->seen, h[0], &other) && other == h[1]) return false;
    map_put(f->seen, h[0], h[1]);
    return true;
}

/* ---- choices ---- */

static u128 choose(void *context, const Choice *c) {
    Follow *f = context;
    i128 wanted = 0;
    bool input = c->kind == CHOICE_VALUE && c->instr && c->instr->kind == INSTR_HAVOC && !c->undefined;
    bool has = input && f->passed && points_wanted(&f->points, f->passed, f->thread, c->instr->position, f->asked++, &wanted);
    Candidates all = inputs_candidates(f->inputs, c);
    if (f->cursor == vec_len(f->picks)) vec_push(f->picks, ((Pick){.count = all.count + has}));
    if (!all.complete) f->sampled = true;
    Pick *p = &f->picks[f->cursor++];
    uint64_t at = p->at - (has && p->at);
    p->value = has && !p->at ? (u128)wanted : all.values ? all.values[at] : at;
    if (has && !p->at && c->sort && c->sort->kind == SORT_BV && c->sort->width < 128) p->value &= ((u128)1 << c->sort->width) - 1;
    vec_push(f->chosen, p->value);
    return p->value;
}

Chooser follow_begin_choices(Follow *f) {
    f->cursor = 0;
    f->asked = 0;
    vec_clear(f->chosen);
    return (Chooser){choose, f};
}

/* Moves to the next combination of choices. Returns false after the last one. */
static bool next_choices(Follow *f) {
    vec_resize(f->picks, f->cursor);
    while (vec_len(f->picks)) {
        Pick *last = &vec_last(f->picks);
        if (++last->at < last->count) return true;
        (void)vec_pop(f->picks);
    }
    return false;
}

/* ---- the violation ---- */

/* Returns the trace that leads to a node. */
static Trace *trace_to(Follow *f, unsigned node) {
    Trace *t = trace_new();
    unsigned *way = NULL;
    t->initial = vec_copy(f->initial);
    for (; f->nodes[node].parent != NO_PARENT; node = f->nodes[node].parent) vec_push(way, node);
    for (size_t i = vec_len(way); i-- > 0;) trace_add_copy(t, &f->nodes[way[i]].step);
    vec_free(way);
    return t;
}

static bool at_target(const Follow *f, const Passed *p) { return p->ways + f->targets == vec_len(f->witness->ways); }

static void found(Follow *f, unsigned parent, unsigned action, TraceEnd end) {
    f->found = trace_to(f, parent);
    f->found->end = end;
    trace_add(f->found, f->thread, action, vec_copy(f->chosen));
}

static const ClaimedWaypoint *target(const Follow *f) { return &vec_last(f->witness->ways); }

static bool ends_at(const Follow *f, const Passed *p, Position at) {
    return way_is_of(p, target(f), f->thread) && spot_calls(&target(f)->spot, at);
}

/* Returns whether a thread of the waypoint is at its spot. The state is a deadlock. */
static bool waits_at(const Follow *f, const State *s, const ClaimedWaypoint *w, const Passed *p) {
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Template *template_ = f->program->templates[state_template(s, t)];
        const unsigned *out = template_->locations[state_location(s, t)].out;
        for (size_t i = 0; i < vec_len(out) && way_is_of(p, w, t); i++)
            if (spot_calls(&w->spot, template_->actions[out[i]].position)) return true;
    }
    return false;
}

static bool is_violation(Follow *f, const State *s, const Passed *p, const Template *t, const Action *a, TraceEnd *end) {
    const Location *l = &t->locations[a->target];
    const Object *object;
    if (!at_target(f, p)) return false;
    if (f->question->property == PROPERTY_UNREACH_CALL && l->kind == LOCATION_ERROR) {
        *end = TRACE_ERROR;
        return ends_at(f, p, l->position.file ? l->position : a->position);
    }
    if (f->question->property == PROPERTY_NO_DEADLOCK) {
        *end = TRACE_DEADLOCK;
        return state_deadlock(f->machine, s, NULL) != DEADLOCK_NONE && waits_at(f, s, target(f), p);
    }
    if (f->question->property != PROPERTY_VALID_MEMSAFETY || !state_halted(f->machine, s)) return false;
    *end = TRACE_LEAK;
    if (!target(f)->any_thread && target(f)->thread >= vec_len(p->ids)) return false;
    return state_leak(f->machine, s, &object) && (spot_is(&target(f)->spot, object->position) || ends_at(f, p, a->position));
}

/* ---- endless executions ---- */

enum { MOST_LOOPS = 50 };

static bool is_at(const ClaimedWaypoint *w, const Action *a) {
    bool there = spot_calls(&w->spot, a->position);
    for (size_t i = 0; i < vec_len(a->instrs); i++) there |= spot_calls(&w->spot, a->instrs[i].position);
    return there;
}

/* Searches for a path from the state after the step back to that state. */
static void look_for_loop(Follow *f, unsigned node, const State *after, const Passed *p, unsigned action, const Action *a) {
    if (f->question->property != PROPERTY_TERMINATION || !at_target(f, p) || !way_is_of(p, target(f), f->thread) || !is_at(target(f), a))
        return;
    if (f->loops++ >= MOST_LOOPS) {
        f->sampled = true;
        return;
    }
    found(f, node, action, TRACE_ENDLESS);
    f->found->loop = vec_len(f->found->steps);
    if (loop_find(f->program, f->machine, f->inputs, after, f->found)) return;
    f->sampled = true;
    trace_free(f->found);
    f->found = NULL;
}

/* ---- races ---- */

typedef struct Racer {
    unsigned thread, action;
    u128 *chosen;
    Access *accesses;
    bool section;
} Racer;

/* Adds the steps of the thread at the waypoint's spot that are possible next. */
static void add_racers(Follow *f, Racer **list, const State *s, unsigned t, const ClaimedWaypoint *w) {
    const Template *template_ = f->program->templates[state_template(s, t)];
    const unsigned *out = template_->locations[state_location(s, t)].out;
    for (size_t i = 0; i < vec_len(out); i++) {
        State *copy = state_copy(f->machine, s);
        Accesses accesses = {0};
        f->thread = t;
        vec_clear(f->picks);
        Chooser chooser = follow_begin_choices(f);
        StepResult r = machine_step(f->machine, copy, t, out[i], &chooser, &accesses);
        const Action *a = &template_->actions[out[i]];
        bool there = spot_calls(&w->spot, a->position);
        for (size_t k = 0; k < vec_len(accesses.list); k++)
            there |= accesses.list[k].instr && spot_calls(&w->spot, accesses.list[k].instr->position);
        if (r.status == STEP_DONE && there) vec_push(*list, ((Racer){t, out[i], vec_copy(f->chosen), accesses.list, a->section}));
        else vec_free(accesses.list);
        state_free(f->machine, copy);
    }
}

/* Returns the steps of the waypoint's threads at its spot. A vec. */
static Racer *racers(Follow *f, const State *s, const Passed *p, const ClaimedWaypoint *w) {
    Racer *list = NULL;
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (way_is_of(p, w, t)) add_racers(f, &list, s, t, w);
    return list;
}

static void racers_free(Racer *list) {
    for (size_t i = 0; i < vec_len(list); i++) {
        vec_free(list[i].chosen);
        vec_free(list[i].accesses);
    }
    vec_free(list);
}

static bool race(const Racer *a, const Racer *b) {
    for (size_t i = 0; i < vec_len(a->accesses) && !(a->section && b->section); i++)
        for (size_t k = 0; k < vec_len(b->accesses); k++)
            if (accesses_race(&a->accesses[i], &b->accesses[k])) return true;
    return false;
}

static void look_for_race(Follow *f, unsigned node, const State *s, const Passed *p) {
    const ClaimedWaypoint *second = target(f), *first = second - 1;
    if (f->question->property != PROPERTY_NO_DATA_RACE || f->targets != 2 || !at_target(f, p)) return;
    Racer *a = racers(f, s, p, first), *b = racers(f, s, p, second);
    for (size_t i = 0; i < vec_len(a) && !f->found; i++)
        for (size_t k = 0; k < vec_len(b) && !f->found; k++) {
            if (a[i].thread == b[k].thread || !race(&a[i], &b[k])) continue;
            f->found = trace_to(f, node);
            f->found->end = TRACE_RACE;
            trace_add(f->found, a[i].thread, a[i].action, vec_copy(a[i].chosen));
            trace_add(f->found, b[k].thread, b[k].action, vec_copy(b[k].chosen));
        }
    racers_free(a);
    racers_free(b);
}

enum { MOST_UNORDERED = 200 };

/* Sets f->found if the step is at one target, and an earlier access at the other target races with it: happens-before orders neither
   before the other. */
static void look_for_unordered(Follow *f, unsigned node, const Passed *p, unsigned action, const Action *a) {
    if (f->targets != 2 || !is_weak(f) || !at_target(f, p)) return;
    for (unsigned i = 0; i < 2 && !f->found && f->races < MOST_UNORDERED; i++) {
        const ClaimedWaypoint *here = target(f) - i, *other = target(f) - !i;
        ClockedAccess first;
        Access second;
        if (!way_is_of(p, here, f->thread) || !is_at(here, a)) continue;
        f->races++;
        found(f, node, action, TRACE_UNORDERED);
        if (replay_unordered(f->program, f->question, f->found, &first, &second) && way_is_of(p, other, first.thread) &&
            (is_at(other, first.action) || (first.access.instr && spot_calls(&other->spot, first.access.instr->position))) &&
            replay_check(f->program, f->question, f->found, NULL))
            return;
        trace_free(f->found);
        f->found = NULL;
    }
}

/* ---- steps ---- */

static size_t size_of(const Node *n) { return n->state.length + vec_len(n->passed.marks) * sizeof *n->passed.marks; }

static void add_node(Follow *f, unsigned parent, unsigned action, State *s, Passed *passed, unsigned strays) {
    Node n = {.parent = parent, .passed = *passed, .strays = strays};
    state_encode(f->machine, s, &n.state);
    if (!is_new(f, &n.state, passed)) {
        buf_free(&n.state);
        passed_free(passed);
        return;
    }
    n.step = (TraceStep){f->thread, action, vec_copy(f->chosen)};
    f->bytes += sizeof n + size_of(&n);
    if (passed->ways > f->most) f->most = passed->ways;
    vec_push(f->nodes, n);
    heap_add(f, (unsigned)vec_len(f->nodes) - 1);
}

/* Returns whether the thread is one of the two that must race next. */
static bool is_racer(const Follow *f, const Passed *p, unsigned thread) {
    return f->targets == 2 && at_target(f, p) && (way_is_of(p, target(f), thread) || way_is_of(p, target(f) - 1, thread));
}

/* Returns the cost of a step. Steps of the thread of the next waypoint cost nothing, unless they leave its line. */
static unsigned cost(const Follow *f, const Passed *before, const Passed *after, unsigned previous) {
    if (after->ways > before->ways) return 0;
    const ClaimedWaypoint *w = &f->witness->ways[before->ways];
    if (is_racer(f, before, f->thread)) return points_is_at(before, f->thread, w->spot.line);
    if (!way_is_of(before, w, f->thread)) return f->thread == previous ? 1 : 2;
    return w->kind != CLAIMED_TARGET && points_is_at(after, f->thread, w->spot.line);
}

/* Tries the action with one combination of choices. */
static void try_once(Follow *f, unsigned node, const State *from, unsigned action, const Template *t) {
    const Action *a = &t->actions[action];
    State *s = state_copy(f->machine, from);
    Accesses accesses = {0};
    Chooser chooser = follow_begin_choices(f);
    f->passed = &f->nodes[node].passed;
    StepResult r = machine_step(f->machine, s, f->thread, action, &chooser, &accesses);
    Passed passed = passed_copy(&f->nodes[node].passed);
    TraceEnd end;
    bool done = r.status == STEP_DONE;
    if (done) follow_note_taken(f, s, action, a->source);
    bool fault = r.status == STEP_FAULT;
    size_t last = !fault ? ALL_POINTS : r.instr ? (size_t)(r.instr - a->instrs) + 1 : 0;
    if (done || fault) points_pass(&f->points, &passed, from, s, f->thread, a, &accesses, last);
    if (done) points_stand(&f->points, &passed, s);
    if (fault && at_target(f, &passed) && faults_have(property_faults(f->question->property, f->question->parts), r.fault) &&
        ends_at(f, &passed, r.instr && r.instr->position.file ? r.instr->position : a->position))
        found(f, node, action, TRACE_FAULT);
    else if (done && is_violation(f, s, &passed, t, a, &end)) found(f, node, action, end);
    if (done && !f->found) look_for_loop(f, node, s, &passed, action, a);
    if (done && !f->found) look_for_unordered(f, node, &passed, action, a);
    LocationKind kind = t->locations[a->target].kind;
    if (done && kind == LOCATION_STOP) f->stopped = true;
    if (done && !f->found && kind != LOCATION_STOP && kind != LOCATION_ERROR) {
        unsigned strays = passed.ways > f->nodes[node].passed.ways ? 0 : f->nodes[node].strays;
        add_node(f, node, action, s, &passed, strays + cost(f, &f->nodes[node].passed, &passed, f->nodes[node].step.thread));
    } else passed_free(&passed);
    vec_free(accesses.list);
    state_free(f->machine, s);
}

static void try_step(Follow *f, unsigned node, const State *from, unsigned action, const Template *t) {
    unsigned tries = 0;
    vec_clear(f->picks);
    do {
        try_once(f, node, from, action, t);
        if (++tries >= MOST_CHOICES) f->sampled = true;
    } while (!f->found && tries < MOST_CHOICES && next_choices(f));
    f->passed = NULL;
}

enum { FEW = 16, REST_COSTS = 10 }; /* with FEW threads, all count as named; REST_COSTS: steps by which the rest comes later */

/* Returns when the steps of a thread are taken: first those of the next waypoint's thread, then those of the threads that the witness
   names, and then the rest. */
static unsigned turn_of(const Follow *f, const State *s, const Passed *p, unsigned thread) {
    if (way_is_of(p, &f->witness->ways[p->ways], thread) || is_racer(f, p, thread)) return TURN_OF_NEXT;
    bool named = state_threads(s) <= FEW;
    for (size_t i = 0; i < vec_len(f->named) && !named; i++) named = f->named[i] < vec_len(p->ids) && p->ids[f->named[i]] == thread;
    return named ? TURN_OF_NAMED : TURN_OF_REST;
}

static void expand(Follow *f, unsigned node, State *s) {
    unsigned turn = f->nodes[node].turn;
    if (turn == TURN_OF_NEXT) look_for_race(f, node, s, &f->nodes[node].passed);
    for (unsigned t = state_threads(s); t >= 1 && !f->found; t--) {
        if (turn_of(f, s, &f->nodes[node].passed, t) != turn) continue;
        const Template *template_ = f->program->templates[state_template(s, t)];
        const unsigned *out = template_->locations[state_location(s, t)].out;
        f->thread = t;
        for (size_t i = 0; i < vec_len(out) && !f->found; i++) {
            bool approximate = template_->actions[out[i]].approximation != NO_APPROXIMATION;
            if (!approximate || !is_weak(f)) try_step(f, node, s, out[i], template_); /* an approximation might hide a real violation */
        }
    }
}

/* ---- nodes that are put off ---- */

/* Puts a node back into the heap for the next group of threads. A large state is freed, and made anew later. */
void follow_put_off(Follow *f, unsigned node) {
    Node *n = &f->nodes[node];
    n->turn++;
    n->strays += n->turn == TURN_OF_REST ? REST_COSTS : 1;
    if (size_of(n) > SMALL) {
        unsigned ways = n->passed.ways;
        f->bytes -= size_of(n);
        buf_free(&n->state);
        passed_free(&n->passed);
        n->passed = (Passed){.ways = ways};
    }
    heap_add(f, node);
}

static Passed passed_first(void) {
    Passed p = {0};
    vec_push(p.ids, 1);
    vec_resize(p.marks, 2 * MARKS);
    return p;
}

/* Makes the state of a node anew by taking the steps that lead to it. */
void follow_make_state(Follow *f, unsigned node, State *s) {
    unsigned *way = NULL;
    Passed p = passed_first();
    Script script = {.choices = f->initial};
    Chooser chooser = script_chooser(&script);
    State *start = state_initial(f->machine, &chooser);
    state_assign(f->machine, s, start);
    points_stand(&f->points, &p, s);
    for (unsigned n = node; f->nodes[n].parent != NO_PARENT; n = f->nodes[n].parent) vec_push(way, n);
    for (size_t i = vec_len(way); i-- > 0;) {
        const TraceStep *step = &f->nodes[way[i]].step;
        Accesses accesses = {0};
        script = (Script){.choices = step->choices};
        chooser = script_chooser(&script);
        const Template *t = f->program->templates[state_template(s, step->thread)];
        bool ran = f->nodes[way[i]].ran;
        if (!ran) state_assign(f->machine, start, s);
        machine_step(f->machine, s, step->thread, step->action, &chooser, &accesses);
        points_pass(&f->points, &p, ran ? s : start, s, step->thread, &t->actions[step->action], &accesses, ALL_POINTS);
        points_stand(&f->points, &p, s);
        vec_free(accesses.list);
    }
    f->nodes[node].passed = p;
    f->bytes += vec_len(p.marks) * sizeof *p.marks;
    state_free(f->machine, start);
    vec_free(way);
}

/* Frees the state of a node after its last expansion. */
static void free_state_of(Follow *f, unsigned node) {
    Node *n = &f->nodes[node];
    f->bytes -= size_of(n);
    buf_free(&n->state);
    passed_free(&n->passed);
    n->state = (Buf){0};
    n->passed = (Passed){.ways = n->passed.ways};
}

/* ---- the search ---- */

static void search(Follow *f, double until) {
    State *s = NULL;
    while (vec_len(f->open) && !f->found) {
        unsigned node = heap_take(f);
        Script none = {0};
        Chooser chooser = script_chooser(&none);
        f->cut = clock_seconds() > until || f->bytes > MOST_BYTES;
        if (f->cut) break;
        if (!s) s = state_initial(f->machine, &chooser);
        if (f->nodes[node].state.length) state_decode(f->machine, s, f->nodes[node].state.text, f->nodes[node].state.length);
        else follow_make_state(f, node, s);
        if (f->nodes[node].turn == TURN_OF_NEXT) node = follow_run_ahead(f, node, s);
        expand(f, node, s);
        if (f->nodes[node].turn < (state_threads(s) > FEW ? TURN_OF_REST : TURN_OF_NAMED)) follow_put_off(f, node);
        else free_state_of(f, node);
    }
    if (s) state_free(f->machine, s);
}

static void follow_free(Follow *f) {
    for (size_t i = 0; i < vec_len(f->nodes); i++) {
        passed_free(&f->nodes[i].passed);
        buf_free(&f->nodes[i].state);
        vec_free(f->nodes[i].step.choices);
    }
    vec_free(f->nodes);
    vec_free(f->open);
    vec_free(f->named);
    vec_free(f->initial);
    vec_free(f->picks);
    vec_free(f->chosen);
    map_free(f->seen);
    map_free(f->taken);
    points_free(&f->points);
    inputs_free(f->inputs);
    machine_free(f->machine);
}

static void find_named(Follow *f) {
    vec_each_at(const ClaimedWaypoint, w, f->witness->ways) {
        bool known = w->kind == CLAIMED_ENTER || w->any_thread;
        for (size_t k = 0; k < vec_len(f->named) && !known; k++) known = f->named[k] == w->thread;
        if (!known) vec_push(f->named, w->thread);
    }
}

/* Searches from each initial state in turn. */
static void start(Follow *f, double until) {
    unsigned tries = 0;
    Pick *picks = NULL;
    do {
        f->picks = picks;
        Chooser chooser = follow_begin_choices(f);
        State *s = state_initial(f->machine, &chooser);
        picks = f->picks;
        size_t cursor = f->cursor;
        f->picks = NULL;
        vec_free(f->initial);
        f->initial = vec_copy(f->chosen);
        Passed p = passed_first();
        points_stand(&f->points, &p, s);
        f->thread = 1;
        vec_clear(f->chosen);
        add_node(f, NO_PARENT, 0, s, &p, 0);
        state_free(f->machine, s);
        search(f, until);
        vec_free(f->picks);
        f->picks = picks;
        f->cursor = cursor;
        if (++tries >= MOST_CHOICES) f->sampled = true;
    } while (!f->found && !f->cut && tries < MOST_CHOICES && (next_choices(f), picks = f->picks, vec_len(picks)));
}

/* Returns why the search ended. */
static const char *reason_of(const Follow *f) {
    if (f->cut) return MSG_WITNESS_FOLLOW_CUT;
    if (f->sampled) return MSG_WITNESS_FOLLOW_SAMPLED;
    if (f->stopped) return MSG_WITNESS_FOLLOW_STOPPED;
    if (f->points.unsure) return MSG_WITNESS_FOLLOW_UNSURE;
    return is_weak(f) ? MSG_WITNESS_FOLLOW_WEAK : MSG_WITNESS_FOLLOW_NONE;
}

static void explain(const Follow *f, Buf *why) {
    const ClaimedWaypoint *w = &f->witness->ways[f->most < vec_len(f->witness->ways) ? f->most : vec_len(f->witness->ways) - 1];
    const char *place = w->kind == CLAIMED_TARGET ? MSG_WITNESS_TARGET : MSG_WITNESS_WAYPOINT;
    buf_printf(why, MSG_WITNESS_FOLLOW_END, reason_of(f), place, w->spot.line);
}

FollowEnd follow(const Program *p, const Question *question, const Witness *w, double until, Trace **trace, Buf *why) {
    Follow f = {.program = p,
                .question = question,
                .witness = w,
                .machine = machine_new(p, question_rules(question)),
                .inputs = inputs_new(p),
                .seen = map_new(),
                .taken = map_new()};
    f.points = points_new(p, f.machine, w);
    for (size_t i = vec_len(w->ways); i > 0 && w->ways[i - 1].kind == CLAIMED_TARGET; i--) f.targets++;
    find_named(&f);
    start(&f, until);
    *trace = f.found;
    if (!f.found) explain(&f, why);
    FollowEnd end = f.found                                                             ? FOLLOW_FOUND
                    : f.cut || f.sampled || f.stopped || f.points.unsure || is_weak(&f) ? FOLLOW_UNKNOWN
                                                                                        : FOLLOW_NONE;
    follow_free(&f);
    return end;
}
