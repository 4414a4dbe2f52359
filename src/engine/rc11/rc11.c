/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `rc11` visits every execution of a program under RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017), as an execution
   graph (ir/rc11.h). A graph grows by one step at a time. Each graph is followed once.

   A thread whose next step reads nothing takes this step immediately: it is part of every complete graph that contains the present one. A write is
   tried at every position in the modification order of its place. If all threads are about to read, each of them is tried, with each existing
   write. This reaches every graph: RC11 forbids that an event depends on itself, so one of the reads that a complete graph still lacks comes
   first. An inconsistent graph remains inconsistent when it grows, so it is dropped.

   A thread goes round if it reaches a location again with the same locals and has only read, or made fences, since. The round is not followed:
   without its events, the thread can do the same, and nothing else is forbidden. A read-modify-write that does not change the value, such as a failed
   attempt to take a spin lock, counts as a read. A thread that reads from it may as well read from the write that it reads, which directly
   precedes it, and then fewer events happen before.
   A thread that goes round without reading does so for ever, so it takes no more steps. The other threads continue. The return
   of main does not stop them either, because their steps could as well come before it. */
#include "engine/engine.h"
#include "base/clock.h"
#include "base/map.h"
#include "engine/messages.h"
#include "ir/rc11.h"
#include <stdlib.h>
#include <string.h>

/* The steps by which a graph has grown. Graphs that grow from one graph share its path. */
typedef struct Path {
    struct Path *before;
    TraceStep reads, step; /* the choice of source and rank, as a TRACE_FLUSH; the step itself */
    unsigned users;
} Path;

/* Records a point that a thread has reached since its last write. */
typedef struct Round {
    unsigned thread, reads; /* number of reads up to this point */
    uint64_t here;          /* rc11_hash_thread: location and locals */
} Round;

typedef struct Graph {
    Rc11 rc11;
    Path *path;
    Round *rounds; /* a vec, of all threads */
} Graph;

typedef struct Search {
    const EngineTask *task;
    Machine *machine;
    Map *seen;   /* hashes of the graphs that were visited */
    Graph *work; /* a vec */
    double end;
    uint64_t graphs, executions; /* all graphs; those that cannot grow */
    bool moves;                  /* the thread that is tried has taken a step */
    Verdict *verdict;            /* ends the search; NULL: it continues */
    Verdict *omitted;            /* the first reason against SAFE; NULL: no reason was met */
    Accesses accesses;
    Buf key;
} Search;

/* ---- graphs ---- */

static Path *path_add(Path *before, TraceStep reads, TraceStep step) {
    Path *p = zeroed(1, sizeof *p);
    if (before) before->users++;
    *p = (Path){before, reads, step, 1};
    return p;
}

static void path_drop(Path *p) {
    while (p && --p->users == 0) {
        Path *before = p->before;
        vec_free(p->reads.choices);
        vec_free(p->step.choices);
        free(p);
        p = before;
    }
}

static Graph graph_copy(Search *s, const Graph *g) {
    Graph n = *g;
    n.rc11.state = state_copy(s->machine, g->rc11.state);
    n.rounds = vec_copy(g->rounds);
    if (n.path) n.path->users++;
    return n;
}

/* Frees the graph. Graphs share the state at the start, which is not freed. */
static void graph_drop(Search *s, Graph *g) {
    state_free(s->machine, g->rc11.state);
    vec_free(g->rounds);
    path_drop(g->path);
}

static void put(Buf *b, uint64_t x) { buf_bytes(b, (const char *)&x, sizeof x); }

/* Appends a name of the event that does not depend on the order in which the graph has grown. */
static void put_name(Buf *b, const Rc11 *g, unsigned event) {
    if (event >= g->n) put(b, ~UINT64_C(0));
    else if (!g->events[event].thread) put(b, ~UINT64_C(2));
    else put(b, (uint64_t)g->events[event].thread << 32 | g->events[event].nth);
}

/* Appends the thread's events. Equal graphs have equal texts, in whatever order they have grown. */
static void put_events(Buf *b, const Rc11 *g, unsigned thread) {
    for (unsigned nth = 0, i = 0; i < g->n; i++) {
        const Event *e = &g->events[i];
        if (e->thread != thread || e->nth != nth) continue;
        put(b, e->kind | (uint64_t)e->order << 8 | (uint64_t)e->plain << 16 | (uint64_t)e->change << 17 | (uint64_t)e->rank << 32);
        put(b, e->variable ? map_key(e->variable) : e->address);
        put(b, (uint64_t)e->value);
        put_name(b, g, e->kind == EVENT_READ || e->kind == EVENT_START || e->kind == EVENT_JOIN ? e->from : ~0u);
        nth++;
    }
    put(b, ~UINT64_C(1));
}

/* Records the graph. Returns false if an equal graph was recorded before. The key omits the values at the start, since a read's place determines
   its value. */
static bool is_new(Search *s, const Rc11 *g) {
    uint64_t other;
    buf_clear(&s->key);
    state_encode(s->machine, g->state, &s->key);
    for (unsigned t = 1; t <= state_threads(g->state); t++) {
        put(&s->key, t);
        put_events(&s->key, g, t);
    }
    uint64_t a = hash_bytes(buf_string(&s->key), s->key.length, 1), b = hash_bytes(buf_string(&s->key), s->key.length, 2);
    if (map_get(s->seen, a, &other) && other == b) return false;
    map_put(s->seen, a, b);
    return true;
}

/* ---- verdicts ---- */

static Trace *trace_of(const Path *last) {
    const Path **list = NULL;
    Trace *t = trace_new();
    for (const Path *p = last; p; p = p->before) vec_push(list, p);
    for (size_t i = vec_len(list); i-- > 0;) {
        const TraceStep *both[] = {&list[i]->reads, &list[i]->step};
        for (unsigned k = 0; k < 2; k++)
            if (both[k]->thread) trace_add_copy(t, both[k]);
    }
    vec_free(list);
    return t;
}

static void stop(Search *s, Verdict *v) {
    if (s->verdict) verdict_free(v);
    else s->verdict = v;
}

static void omit(Search *s, Verdict *v, UnknownReason cause) {
    v->cause = cause;
    if (s->omitted) verdict_free(v);
    else s->omitted = v;
}

/* Checks a new graph for data races, and the location that the thread has reached for errors. */
static void judge_graph(Search *s, const Graph *g, unsigned thread) {
    const Program *p = s->task->program;
    const Location *l = &p->templates[state_template(g->rc11.state, thread)]->locations[state_location(g->rc11.state, thread)];
    Position first, second;
    if (g->rc11.start && rc11_races(&g->rc11, &first, &second)) {
        Verdict *v = s->task->question->property == PROPERTY_NO_DATA_RACE ? verdict_unknown(second, MSG_ENGINE_RC11_RACE_OPEN, first.line)
                                                                          : verdict_unknown(second, MSG_ENGINE_RC11_RACE, first.line);
        v->race = !g->rc11.failed_order_unknown;
        stop(s, v);
        return;
    }
    if (l->kind == LOCATION_STOP) {
        const Approximation *a = &p->approximations[l->approximation];
        omit(s, verdict_unknown(a->position, MSG_ENGINE_RC11_STOP, a->text), REASON_OMITTED);
    }
    if (l->kind != LOCATION_ERROR || s->task->question->property != PROPERTY_UNREACH_CALL) return;
    if (g->rc11.failed_order_unknown) {
        omit(s, verdict_unknown(l->position, MSG_ENGINE_RC11_TRYLOCK), REASON_OTHER);
        return;
    }
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    v->trace = trace_of(g->path);
    stop(s, v);
}

/* ---- steps ---- */

enum { MOST_INPUTS = 4 }; /* choices of a step; each of two values */

typedef struct Inputs {
    unsigned values, asked; /* bit i is the value of choice i; the number of choices so far */
    bool large;             /* some choice has more than two values, or there are too many choices */
    u128 *choices;
} Inputs;

static u128 choose(void *context, const Choice *c) {
    Inputs *in = context;
    bool two = c->kind == CHOICE_VALUE && (c->sort->kind == SORT_BOOL || (c->sort->kind == SORT_BV && c->sort->width == 1));
    in->large |= !two || in->asked >= MOST_INPUTS;
    u128 v = in->large ? 0 : in->values >> in->asked & 1;
    in->asked++;
    vec_push(in->choices, v);
    return v;
}

/* Returns true if the step is a read-modify-write that has written the value that it read. */
static bool changes_nothing(const Rc11 *g, unsigned before) {
    const Event *read = &g->events[g->n - 2], *write = &g->events[g->n - 1];
    return g->n == before + 2 && read->kind == EVENT_READ && write->kind == EVENT_WRITE && write->change && read->value == write->value;
}

static unsigned reads_of(const Rc11 *g, unsigned thread) {
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) n += g->events[i].thread == thread && g->events[i].kind == EVENT_READ;
    return n;
}

static void forget_rounds(Graph *g, unsigned thread) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(g->rounds); i++)
        if (g->rounds[i].thread != thread) g->rounds[kept++] = g->rounds[i];
    vec_resize(g->rounds, kept);
}

/* Returns true if the thread has reached this point before, with no write since. *idle: with no read since, either. Records the point otherwise. */
static bool goes_round(Graph *g, unsigned thread, bool only_reads, bool *idle) {
    Round r = {thread, reads_of(&g->rc11, thread), rc11_hash_thread(&g->rc11, thread)};
    *idle = false;
    if (!only_reads) forget_rounds(g, thread);
    for (size_t i = 0; i < vec_len(g->rounds); i++) {
        if (g->rounds[i].thread != thread || g->rounds[i].here != r.here) continue;
        *idle = g->rounds[i].reads == r.reads;
        return true;
    }
    vec_push(g->rounds, r);
    return false;
}

static void note_step(Graph *g, const Rc11Step *x, Rc11Kind kind, u128 *choices) {
    TraceStep reads = {0}, step = {.thread = x->thread, .action = x->action, .choices = choices};
    if (kind == RC11_READ || kind == RC11_WRITE || kind == RC11_READ_MODIFY_WRITE) {
        reads = (TraceStep){.thread = x->thread, .action = TRACE_FLUSH};
        vec_push(reads.choices, x->source);
        vec_push(reads.choices, x->rank);
    }
    Path *p = path_add(g->path, reads, step);
    path_drop(g->path);
    g->path = p;
}

/* Takes the step with the choices given by `values`. A new graph becomes work. *asked is the number of choices. */
static void try_inputs(Search *s, const Graph *from, const Rc11Step *x, Rc11Kind kind, unsigned values, unsigned *asked) {
    Graph g = graph_copy(s, from);
    Inputs in = {.values = values};
    Chooser chooser = {choose, &in};
    Rc11Step step = *x;
    step.chooser = &chooser;
    vec_clear(s->accesses.list);
    unsigned events = g.rc11.n;
    Rc11Result r = rc11_step(&g.rc11, &step, &s->accesses);
    *asked = in.asked;
    if (r.unsupported)
        omit(s,
             verdict_unknown(s->task->program->templates[state_template(g.rc11.state, x->thread)]->actions[x->action].position,
                             MSG_ENGINE_RC11_UNSUPPORTED, r.unsupported),
             REASON_REFUSED);
    else if (in.large) omit(s, verdict_unknown((Position){0}, MSG_ENGINE_RC11_INPUTS), REASON_INPUTS);
    if (!r.unsupported && r.step.status == STEP_FAULT)
        omit(s, verdict_unknown(r.step.instr ? r.step.instr->position : (Position){0}, MSG_ENGINE_RC11_UNDEFINED, fault_text(r.step.fault)),
             REASON_OTHER);
    bool done = !r.unsupported && r.step.status == STEP_DONE, idle = false;
    bool only_reads = kind == RC11_READ || kind == RC11_LOCAL || kind == RC11_FENCE ||
                      (kind == RC11_READ_MODIFY_WRITE && (g.rc11.n == events + 1 || changes_nothing(&g.rc11, events)));
    bool ends = !done || in.large || (g.rc11.n != events && !rc11_consistent(&g.rc11)) || goes_round(&g, x->thread, only_reads, &idle);
    s->moves |= done && !idle;
    if (ends || !is_new(s, &g.rc11)) {
        vec_free(in.choices);
        graph_drop(s, &g);
        return;
    }
    note_step(&g, x, kind, in.choices);
    judge_graph(s, &g, x->thread);
    vec_push(s->work, g);
}

/* Takes the step with all values of its choices. */
static void try_step(Search *s, const Graph *g, const Rc11Step *x, Rc11Kind kind) {
    unsigned asked = 0;
    for (unsigned values = 0; values < 1u << (asked < MOST_INPUTS ? asked : MOST_INPUTS) && !s->verdict; values++)
        try_inputs(s, g, x, kind, values, &asked);
}

/* Takes the writing step at every rank in the modification order. Rank 0 is the value at the start, so ranks begin with 1. */
static void try_ranks(Search *s, const Graph *g, Rc11Step x, Rc11Kind kind, const Event *place) {
    unsigned writes = 0;
    for (unsigned i = 0; i < g->rc11.n; i++) writes += g->rc11.events[i].kind == EVENT_WRITE && rc11_same_place(&g->rc11.events[i], place);
    for (x.rank = 1; x.rank <= (writes ? writes : 1) && !s->verdict; x.rank++) try_step(s, g, &x, kind);
}

/* Takes an action of the thread in all ways: with each source of its read, or each rank of its write. */
static void try_action(Search *s, Graph *g, unsigned thread, unsigned action) {
    Rc11Kind kind = rc11_kind(&g->rc11, thread, action);
    Rc11Step x = {.thread = thread, .action = action, .source = RC11_EVENTS, .rank = RC11_EVENTS};
    Event place;
    bool reads = kind == RC11_READ || kind == RC11_READ_MODIFY_WRITE;
    if ((!reads && kind != RC11_WRITE) || !rc11_place(&g->rc11, thread, action, &place)) {
        try_step(s, g, &x, kind);
        return;
    }
    if (!reads) {
        try_ranks(s, g, x, kind, &place);
        return;
    }
    bool start = false;
    for (unsigned i = 0; i < g->rc11.n && !s->verdict; i++) {
        const Event *w = &g->rc11.events[i];
        if (w->kind != EVENT_WRITE || !rc11_same_place(w, &place)) continue;
        start |= w->thread == 0;
        x.source = i;
        x.rank = w->rank + 1; /* a read-modify-write directly follows the write that it reads */
        try_step(s, g, &x, kind);
    }
    x.source = RC11_EVENTS;
    x.rank = 1;
    if (!start && !s->verdict) try_step(s, g, &x, kind);
}

/* ---- the search ---- */

static const Location *location_of(const Search *s, const Graph *g, unsigned thread) {
    return &s->task->program->templates[state_template(g->rc11.state, thread)]->locations[state_location(g->rc11.state, thread)];
}

/* Returns true if the thread may read in its next step. */
static bool reads_next(const Search *s, const Graph *g, unsigned thread) {
    const Location *l = location_of(s, g, thread);
    for (size_t i = 0; i < vec_len(l->out); i++) {
        Rc11Kind kind = rc11_kind(&g->rc11, thread, l->out[i]);
        if (kind == RC11_READ || kind == RC11_READ_MODIFY_WRITE) return true;
    }
    return false;
}

static bool ends_process(const Search *s, const Graph *g, unsigned thread, unsigned action) {
    const Template *t = s->task->program->templates[state_template(g->rc11.state, thread)];
    return t->locations[t->actions[action].target].kind == LOCATION_HALT;
}

/* Tries all actions of the thread. Returns true if one of them can be taken and does more than go round. */
static bool try_thread(Search *s, Graph *g, unsigned thread) {
    const Location *l = location_of(s, g, thread);
    s->moves = false;
    for (size_t i = 0; i < vec_len(l->out) && !s->verdict; i++)
        if (!ends_process(s, g, thread, l->out[i])) try_action(s, g, thread, l->out[i]);
    return s->moves;
}

/* Returns true if the thread can end the process now. The search does not take this step: the other threads continue. */
static bool is_last(Search *s, const Graph *g, unsigned thread) {
    const Location *l = location_of(s, g, thread);
    bool last = false;
    for (size_t i = 0; i < vec_len(l->out) && !last; i++) {
        if (!ends_process(s, g, thread, l->out[i])) continue;
        State *copy = state_copy(s->machine, g->rc11.state);
        Inputs in = {0};
        Chooser chooser = {choose, &in};
        last = machine_step(s->machine, copy, thread, l->out[i], &chooser, NULL).status == STEP_DONE;
        vec_free(in.choices);
        state_free(s->machine, copy);
    }
    return last;
}

/* Returns true if the thread waits in a join. The join is postponed: of the steps that read nothing, only joins may become possible later. */
static bool waits(Search *s, const Graph *g, unsigned thread) {
    const Location *l = location_of(s, g, thread);
    bool joins = false, moves = false;
    for (size_t i = 0; i < vec_len(l->out) && !moves; i++) {
        joins |= rc11_kind(&g->rc11, thread, l->out[i]) == RC11_THREAD;
        State *copy = state_copy(s->machine, g->rc11.state);
        Inputs in = {0};
        Chooser chooser = {choose, &in};
        StepResult r = machine_step(s->machine, copy, thread, l->out[i], &chooser, NULL);
        moves = r.status != STEP_DISABLED || !r.blocked;
        vec_free(in.choices);
        state_free(s->machine, copy);
    }
    return joins && !moves;
}

/* Adds the graphs that follow g. */
static void expand(Search *s, Graph *g) {
    unsigned n = state_threads(g->rc11.state);
    for (unsigned t = 1; t <= n; t++) {
        if (!vec_len(location_of(s, g, t)->out) || reads_next(s, g, t) || waits(s, g, t) || is_last(s, g, t)) continue;
        if (try_thread(s, g, t)) return;
    }
    bool moves = false;
    for (unsigned t = 1; t <= n && !s->verdict; t++)
        if (reads_next(s, g, t)) moves |= try_thread(s, g, t);
    s->executions += !moves;
}

static Verdict *answer(Search *s) {
    if (s->verdict) {
        verdict_free(s->omitted);
        return s->verdict;
    }
    if (s->omitted) return s->omitted;
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_EXHAUSTED;
    v->states = s->graphs;
    verdict_note(v, MSG_ENGINE_RC11_SAFE, (unsigned long long)s->executions);
    return v;
}

static Verdict *run(const EngineTask *task) {
    Search s = {.task = task,
                .machine = machine_new(task->program, question_rules(task->question)),
                .seen = map_new(),
                .end = clock_seconds() + task->budget.seconds};
    Inputs in = {0};
    Chooser chooser = {choose, &in};
    Graph first = {.rc11 = {.machine = s.machine, .state = state_initial(s.machine, &chooser)}};
    if (in.asked) omit(&s, verdict_unknown((Position){0}, MSG_ENGINE_RC11_INPUTS), REASON_INPUTS);
    vec_push(s.work, first);
    while (vec_len(s.work) && !s.verdict) {
        Graph g = vec_pop(s.work);
        s.graphs++;
        if (clock_seconds() > s.end) {
            Verdict *v = verdict_unknown((Position){0}, MSG_ENGINE_RC11_TIME);
            v->cause = REASON_LIMIT;
            stop(&s, v);
        } else {
            expand(&s, &g);
        }
        graph_drop(&s, &g);
    }
    return answer(&s); /* the process ends soon */
}

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL || p == PROPERTY_NO_DATA_RACE; }

const Engine engine_rc11 = {
    .name = "rc11",
    .summary = "visits every execution under C11 (--memory-model c11), as a graph",
    .supports = supports,
    .memory = MEMORY_C11,
    .run = run,
};
