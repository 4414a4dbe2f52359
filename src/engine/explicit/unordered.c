/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for data races in random interleavings, with vector clocks (ir/clocks.h). Two accesses race if happens-before does not order them, even if
   they are never enabled at the same time. This happens where atomic accesses are too weak to order them. */
#include "engine/engine.h"
#include "base/clock.h"
#include "engine/explicit/inputs.h"
#include "engine/messages.h"
#include "ir/clocks.h"

enum { MOST_RUNS = 5000, MOST_STEPS = 2000, MORE_RUNS = 200 };

typedef struct Walk {
    const Program *program;
    Machine *machine;
    uint64_t random;
    u128 *choices; /* a vec: of the step that is tried */
    Trace *trace;
    unsigned thread; /* the thread that moved last */
} Walk;

static uint64_t draw(Walk *w, uint64_t n) { return (random_next(&w->random) >> 32) % n; }

/* Chooses a value. Small numbers are more probable. An ALLOC always gets fresh memory. */
static u128 choose(void *context, const Choice *c) {
    Walk *w = context;
    u128 v = 0;
    if (c->kind == CHOICE_VALUE && c->sort->kind == SORT_BOOL) v = draw(w, 2);
    else if (c->kind == CHOICE_VALUE && c->sort->kind == SORT_BV) {
        v = draw(w, 4) ? draw(w, 3) : (u128)draw(w, UINT32_MAX) << 32 | draw(w, UINT32_MAX);
        if (c->sort->width < 128) v &= ((u128)1 << c->sort->width) - 1;
    }
    vec_push(w->choices, v);
    return v;
}

/* Takes one of the thread's actions, and lists its accesses. Returns NULL if the thread cannot move, or only by undefined behaviour. */
static const Action *step(Walk *w, State *s, unsigned thread, Accesses *accesses) {
    const Template *t = w->program->templates[state_template(s, thread)];
    const unsigned *out = t->locations[state_location(s, thread)].out;
    size_t n = vec_len(out), from = n ? draw(w, n) : 0;
    const Chooser chooser = {choose, w};
    for (size_t i = 0; i < n; i++) {
        const Action *a = &t->actions[out[(from + i) % n]];
        vec_clear(accesses->list);
        vec_clear(w->choices);
        if (a->approximation != NO_APPROXIMATION) continue;
        StepResult r = machine_step(w->machine, s, thread, a->index, &chooser, accesses);
        if (r.status != STEP_DONE) continue;
        trace_add(w->trace, thread, a->index, vec_copy(w->choices));
        return a;
    }
    return NULL;
}

/* Lets a thread take an action: with probability 1 - 1/stay, the thread that moved last. Returns NULL if no thread can move. */
static const Action *move(Walk *w, State *s, Accesses *accesses, uint64_t stay) {
    unsigned inside = state_atomic_thread(w->machine, s), n = state_threads(s);
    unsigned first = inside ? inside : draw(w, stay) ? w->thread : 1 + (unsigned)draw(w, n);
    for (unsigned i = 0; i < (inside ? 1 : n); i++) {
        w->thread = inside ? inside : 1 + (first - 1 + i) % n;
        const Action *a = step(w, s, w->thread, accesses);
        if (a) return a;
    }
    return NULL;
}

/* Runs a random execution of at most `most` steps. Returns true if the last step of w->trace races with an earlier one. */
static bool run(Walk *w, const EngineTask *task, size_t most) {
    const Chooser chooser = {choose, w};
    Accesses accesses = {0};
    Clocks *clocks = clocks_new();
    bool races = false, goes_on = true;
    uint64_t stay = (uint64_t)1 << (1 + draw(w, 4));
    w->trace = trace_new();
    w->trace->end = TRACE_UNORDERED;
    w->thread = 1;
    vec_clear(w->choices);
    State *s = state_initial(w->machine, &chooser);
    vec_append(w->trace->initial, w->choices);
    while (goes_on && !races && vec_len(w->trace->steps) < most) {
        const Action *a = move(w, s, &accesses, stay);
        ClockedAccess first;
        Access second;
        if (!a) break;
        races = clocks_step(clocks, w->thread, a, accesses.list, vec_len(accesses.list), &first, &second);
        const Location *l = &w->program->templates[state_template(s, w->thread)]->locations[a->target];
        goes_on = !races && (l->kind == LOCATION_PLAIN || l->kind == LOCATION_END);
        if (races && first.access.instr && second.instr)
            races =
                !(known_at(task->question->known, first.access.instr->position) & known_at(task->question->known, second.instr->position));
    }
    state_free(w->machine, s);
    clocks_free(clocks);
    vec_free(accesses.list);
    return races;
}

static Verdict *search_races(const EngineTask *task) {
    Walk w = {.program = task->program,
              .machine = machine_new(task->program, question_rules(task->question)),
              .random = (task->seed + 1) * 0x9e3779b97f4a7c15u | 1};
    double until = clock_seconds() + (task->budget.seconds < 8 ? task->budget.seconds / 8 : 1);
    Trace *best = NULL;
    unsigned more = MOST_RUNS;
    for (unsigned n = 0; n < more && clock_seconds() < until; n++) {
        bool races = run(&w, task, best ? vec_len(best->steps) - 1 : MOST_STEPS);
        Trace *other = races ? best : w.trace;
        if (races && !best) more = n + MORE_RUNS;
        if (races) best = w.trace;
        if (other) trace_free(other);
    }
    vec_free(w.choices);
    machine_free(w.machine);
    if (!best) return verdict_unknown((Position){0}, MSG_ENGINE_RANDOM_NO_RACE);
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    v->trace = best;
    return v;
}

static bool supports(Property p) { return p == PROPERTY_NO_DATA_RACE; }

const Engine engine_unordered = {.name = "explicit",
                                 .summary = "searches for races of accesses that are never enabled together",
                                 .supports = supports,
                                 .run = search_races};
