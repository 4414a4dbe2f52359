/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `explicit` visits every reachable state, and runs random executions where there are too many states. Its phases are:
   1. a visit of all states, given up after FEW states (visit_few);
   2. a very short random simulation;
   3. a search of all states that alternates with random simulation, in growing slices of time (search_and_simulate). Where programs create
      many threads, the limit of threads grows from 3;
   4. random simulation for the remaining time, if some choice was sampled or the search was not exhausted.
   The answer is SAFE only if every state was visited and nothing was left out or sampled. The check of a SAFE visits few states a second time without
   reduction (again.c). */
#include "engine/explicit/explicit.h"
#include "engine/explicit/lasso.h"
#include "base/clock.h"
#include "base/messages.h"
#include "engine/messages.h"
#include "ir/wait.h"
#include "result/assume.h"
#include "result/messages.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- context ---- */

double context_seconds(const Context *c) { return clock_seconds() - c->start; }

void context_progress(Context *c, const char *format, ...) {
    double t = context_seconds(c);
    if (!c->task->progress || t - c->last_progress < 0.2) return;
    c->last_progress = t;
    char line[160];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    c->task->progress(c->task->context, line);
}

static char *format_text(const char *format, va_list args) {
    char *text;
    if (vasprintf(&text, format, args) < 0) out_of_resources(MSG_BASE_NO_MEMORY);
    return text;
}

__attribute__((format(printf, 4, 5))) static void context_incomplete(Context *c, UnknownReason cause, Position at, const char *format,
                                                                     ...) {
    if (c->incomplete && c->incomplete_cause >= cause) return;
    free(c->incomplete);
    va_list args;
    va_start(args, format);
    c->incomplete = format_text(format, args);
    va_end(args);
    c->incomplete_at = at;
    c->incomplete_cause = cause;
}

bool context_wants_doubtful(const Context *c) {
    static const unsigned most = 100;
    return !c->doubtful || (c->doubts < most && c->has_results);
}

bool context_add_doubtful(Context *c, Trace *t) {
    size_t *assumptions = trace_assumptions(c->program, t);
    bool sure = !vec_len(assumptions);
    vec_free(assumptions);
    c->doubts++;
    if (sure) c->trace = t;
    else if (!c->doubtful) c->doubtful = t;
    else trace_free(t);
    return sure;
}

static void note(Context *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vec_push(c->notes, format_text(format, args));
    va_end(args);
}

/* Returns " at a.c:3:5" in `into`, or an empty text if the position has no file. */
static const char *place(char *into, size_t size, Position p) {
    into[0] = 0;
    if (p.file) snprintf(into, size, " at %s:%u:%u", p.file, p.line, p.column);
    return into;
}

bool context_violates(const Context *c, const Action *a, const StepResult *r) {
    return r->status == STEP_FAULT && faults_have(c->faults, r->fault) &&
           !known_at(c->task->question->known, r->instr ? r->instr->position : a->position);
}

void context_check_waits(Context *c) {
    if (!machine_skipped_choices(c->machine)) return;
    context_incomplete(c, REASON_INPUTS, (Position){0}, MSG_ENGINE_WAIT_VALUES);
}

bool context_is_deadlocked(Context *c, const State *s, unsigned thread) {
    Wait *waits = NULL;
    uint32_t known = ~0u;
    DeadlockKind kind = thread ? state_deadlock_of(c->machine, s, thread, &waits) : state_deadlock(c->machine, s, &waits);
    for (size_t i = 0; i < vec_len(waits); i++) known &= known_at(c->task->question->known, waits[i].action->position);
    vec_free(waits);
    context_check_waits(c);
    return kind && !known;
}

void context_fault(Context *c, const Action *a, const StepResult *r) {
    const void *what = r->instr ? (const void *)r->instr : (const void *)a;
    uint64_t seen;
    if (map_get(c->noted, map_key(what), &seen) && (seen >> r->fault & 1)) return;
    if (!map_get(c->noted, map_key(what), &seen)) seen = 0;
    map_put(c->noted, map_key(what), seen | UINT64_C(1) << r->fault);
    Position p = r->instr && r->instr->position.file ? r->instr->position : a->position;
    char at[300];
    bool limit = r->fault == FAULT_RANGE || r->fault == FAULT_RESOURCE;
    c->faulted |= !limit;
    if (context_violates(c, a, r)) return;
    if (r->fault == FAULT_RESOURCE && r->instr && r->instr->kind == INSTR_CREATE)
        context_incomplete(c, REASON_THREADS, p, MSG_ENGINE_THREADS_UNBOUNDED);
    else if (limit) context_incomplete(c, REASON_REFUSED, p, MSG_ENGINE_FOLLOWED_LIMIT, fault_text(r->fault));
    else {
        note(c, MSG_RESULT_CUT, fault_text(r->fault), place(at, sizeof at, p));
        c->cut_by |= 1u << r->fault;
        c->task->stats->undefined++;
        if (!c->cut && asprintf(&c->cut, "%s%s", fault_text(r->fault), at) < 0) out_of_resources(MSG_BASE_NO_MEMORY);
    }
}

void context_sampled(Context *c, const Choice *choice) {
    c->sampled = true;
    if (c->incomplete) return;
    const Variable *v = choice->variable && !choice->variable->temporary ? choice->variable : NULL;
    Position p = choice->instr ? choice->instr->position : v ? v->position : (Position){0};
    context_incomplete(c, REASON_INPUTS, p, MSG_ENGINE_VALUES_MANY, v ? MSG_ENGINE_VALUES_UNINITIALISED : "",
                       v                   ? v->name
                       : choice->undefined ? MSG_ENGINE_VALUES_MEMORY
                                           : "inputs");
}

static void arrive_approximated(Context *c, unsigned approximation, const Location *l) {
    const Approximation *a = approximation == NO_APPROXIMATION ? NULL : &c->program->approximations[approximation];
    const char *what = a && a->kind == APPROX_UNDER ? MSG_ENGINE_OMITTED : MSG_ENGINE_NOT_MODELLED;
    context_incomplete(c, REASON_OMITTED, a ? a->position : l->position, MSG_ENGINE_REACHES_OMITTED, what, a ? ": " : "", a ? a->text : "");
}

/* Classifies the end of the process. Where it ends by exit(), a local variable may still point to memory, but the program has lost the value of a
   dead variable. So a leak counts only at the end of main, or if no memory may be left at all (valid-memcleanup). */
static Arrival arrive_at_end(Context *c, const State *s, const Location *l) {
    const Object *object;
    if (!state_leak(c->machine, s, &object)) return ARRIVAL_END;
    if (known_lost(c->task->question->known, object->position)) {
        context_incomplete(c, REASON_OTHER, object->position, MSG_ENGINE_LOST_KNOWN);
        return ARRIVAL_END;
    }
    if (!l->text || question_has_parts(c->task->question, PART_MEMCLEANUP)) return ARRIVAL_LEAK;
    context_incomplete(c, REASON_REFUSED, object->position, MSG_ENGINE_LOST_UNKNOWN);
    return ARRIVAL_END;
}

Arrival context_arrive(Context *c, const State *s, const Template *t, const Action *a) {
    const Location *l = &t->locations[a->target];
    if (l->kind == LOCATION_HALT && c->leaks) return arrive_at_end(c, s, l);
    if (a->approximation != NO_APPROXIMATION && !action_is_over(c->program, a)) arrive_approximated(c, a->approximation, l);
    if (l->kind == LOCATION_ERROR) return ARRIVAL_ERROR;
    if (l->kind != LOCATION_STOP) return ARRIVAL_PLAIN;
    arrive_approximated(c, l->approximation, l);
    return ARRIVAL_STOP;
}

bool context_beyond_limit(Context *c, const State *s, const Action *a) {
    if (state_threads(s) < (c->thread_limit ? c->thread_limit : MOST_SEARCHED)) return false;
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_CREATE) {
            c->beyond_limit = &a->instrs[i];
            return true;
        }
    return false;
}

/* ---- verdicts ---- */

static void give_notes(Context *c, Verdict *v) {
    v->cut = c->cut;
    v->cut_by = c->cut_by;
    c->cut = NULL;
    for (size_t i = 0; i < vec_len(c->notes); i++) verdict_note(v, "%s", c->notes[i]);
}

/* Returns the time of the answer, in seconds since the start. Engines that have given up leave their time to this one. */
static double deadline_of(const Context *c) {
    const Budget *b = &c->task->budget;
    double seconds = b->seconds + (b->extra_seconds ? *b->extra_seconds : 0), deadline = seconds * 0.95 - 0.1;
    return deadline > 0 ? deadline : 0;
}

static void shorten(Context *c, Trace *t) {
    double left = deadline_of(c) - context_seconds(c), usual = 3;
    shorten_trace(c, t, left * 0.5 < usual ? (left > 0 ? left * 0.5 : 0) : usual);
}

static Verdict *unsafe(Context *c) {
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    if (!TRACE_LOOPS(c->trace->end)) shorten(c, c->trace);
    v->trace = c->trace;
    c->trace = NULL;
    return v;
}

/* Returns a trace to the undefined behaviour that makes a proof vacuous, because it precedes every assertion; NULL: none was found. */
static Trace *show_fault(Context *c) {
    double left = c->task->budget.seconds - context_seconds(c), usual = 2;
    c->only_faults = true;
    c->faults = faults_all();
    if (!simulation_run(c, context_seconds(c) + (left * 0.5 < usual ? left * 0.5 : usual))) return NULL;
    Trace *t = c->trace;
    c->trace = NULL;
    shorten(c, t);
    return t;
}

static Verdict *safe(Context *c, uint64_t states, double deadline) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    const char *why_not = NULL;
    v->invariant = c->task->question->certificate && !c->task->searches_assertion ? certify_states(c, deadline, &why_not) : NULL;
    v->proof = v->invariant ? PROOF_INVARIANT : PROOF_EXHAUSTED;
    v->states = states;
    v->vacuous = notice_vacuous(c);
    if (v->vacuous) v->trace = show_fault(c);
    give_notes(c, v);
    notice_warn(c, v);
    if (why_not) verdict_note(v, MSG_ENGINE_CERTIFY_NONE, why_not);
    return v;
}

static Verdict *unknown(Context *c, SearchEnd end, uint64_t states) {
    Verdict *v;
    char far[100] = "", seen[60];
    if (states < 100000) snprintf(seen, sizeof seen, "%llu state%s", (unsigned long long)states, states == 1 ? "" : "s");
    else snprintf(seen, sizeof seen, MSG_ENGINE_SEEN_MILLIONS, (double)states / 1e6);
    if (c->switches) snprintf(far, sizeof far, MSG_ENGINE_NO_ERROR_UP_TO, c->switches - 1, c->switches == 2 ? "" : "es");
    if (c->doubtful) {
        v = verdict_unknown((Position){0}, MSG_ENGINE_APPROXIMATED,
                            TRACE_LOOPS(c->doubtful->end) ? MSG_ENGINE_MAY_BE_ENDLESS : MSG_ENGINE_MAY_ERR);
        v->cause = REASON_ASSUMED;
        v->trace = c->doubtful;
        c->doubtful = NULL;
    } else if (c->incomplete) {
        v = verdict_unknown(c->incomplete_at, "%s", c->incomplete);
        v->cause = c->incomplete_cause;
    } else if (c->beyond_limit) {
        v = verdict_unknown(c->beyond_limit->position, MSG_ENGINE_THREADS_UNBOUNDED);
        v->cause = REASON_THREADS;
    } else if (end == SEARCH_MEMORY) {
        v = verdict_unknown((Position){0}, MSG_ENGINE_STATES_MEMORY, (unsigned long long)(c->task->budget.memory >> 20), seen, far);
    } else {
        double seconds = context_seconds(c);
        v = verdict_unknown((Position){0}, MSG_ENGINE_STATES_TIME, seconds < 10 ? 1 : 0, seconds, seen, far);
    }
    if (v->cause == REASON_OTHER) v->cause = REASON_LIMIT;
    give_notes(c, v);
    notice_warn(c, v);
    return v;
}

/* ---- phases ---- */

enum { GLANCE = 20000 };

static bool creates_many(const Program *p) {
    uint64_t sum = 1;
    for (size_t i = 1; i < vec_len(p->templates); i++) {
        if (p->templates[i]->count == 0) return true;
        sum += p->templates[i]->count;
    }
    return sum > MOST_SEARCHED;
}

static double soon(const Context *c, double seconds) {
    double t = context_seconds(c) + seconds, deadline = deadline_of(c);
    return t < deadline ? t : deadline;
}

static void begin_anew(Context *c, Search **x, Symmetry *symmetry, uint64_t memory) {
    search_free(*x);
    *x = search_new(c, true, symmetry, memory);
    c->sorted = symmetry;
}

static bool has_seen_enough(const Context *c) { return c->task->searches_assertion && c->task->stats->judged; }

/* Searches the executions with at most `most` context switches. *all is true if no execution has more. */
static SearchEnd search_switches(Context *c, unsigned most, double until, uint64_t *states, bool *all) {
    Search *x = search_new(c, false, NULL, c->task->budget.memory / 4);
    search_count_switches(x, most);
    SearchEnd end = search_continue(x, until, 0);
    *states = search_states(x);
    *all = !search_was_cut(x);
    search_free(x);
    return end;
}

/* Searches executions with more and more context switches, from 0 on. Returns true if it found an error. */
static bool search_by_switches(Context *c, double until) {
    bool all = false;
    for (unsigned most = 0; !all && !c->incomplete && !c->doubtful; most++) {
        uint64_t states;
        SearchEnd end = search_switches(c, most, until, &states, &all);
        if (end == SEARCH_FOUND) return true;
        if (end != SEARCH_EXHAUSTED || c->incomplete || c->doubtful) return false;
        c->switches = most + 1;
        c->bounded_states = states;
    }
    return false;
}

/* Searches with the context's limit of threads, alternating with random simulation. The slices of time grow, beginning with GLANCE states. */
static SearchEnd search_and_simulate(Context *c, uint64_t *states) {
    uint64_t memory = c->task->budget.memory / 4 * 3;
    Search *x = search_new(c, true, NULL, memory);
    SearchEnd end = search_continue(x, soon(c, 1), GLANCE);
    c->sorted = false;
    bool asks_states = c->deadlocks || c->leaks; /* the property depends on whole states, not only on reachable locations */
    Symmetry *symmetry =
        !asks_states && (end == SEARCH_TIME || end == SEARCH_STATES) ? symmetry_new(c->program, c->machine, c->reduction) : NULL;
    if (symmetry) begin_anew(c, &x, symmetry, memory);
    bool looked = false;
    double simulating = deadline_of(c) * 0.02 < 0.3 ? deadline_of(c) * 0.02 : 0.3;
    for (double slice = 1; (end == SEARCH_TIME || end == SEARCH_STATES) && !has_seen_enough(c); slice *= 1.5) {
        if (simulation_run(c, soon(c, simulating))) end = SEARCH_FOUND;
        else if (context_seconds(c) < deadline_of(c)) end = search_continue(x, soon(c, slice), 0);
        else break;
        if (end == SEARCH_ASYMMETRIC) {
            begin_anew(c, &x, symmetry_is_left(symmetry) ? symmetry : NULL, memory);
            end = SEARCH_TIME;
        }
        bool late = slice > 4 && !looked && !c->thread_limit;
        if (late && end == SEARCH_TIME && search_by_switches(c, soon(c, slice / 2))) end = SEARCH_FOUND;
        looked |= late;
        simulating = c->incomplete || c->doubtful || c->thread_limit ? slice : slice / 4;
    }
    *states = search_states(x);
    search_free(x);
    symmetry_free(symmetry);
    return end;
}

/* Returns a global variable that starts with any integer or any array, so that not all initial values can be tried; NULL: no variable does. */
static const Variable *unbounded_start(const Program *p) {
    vec_each(const Variable *, v, p->globals)
        if (!v->init && (v->sort->kind == SORT_INT || v->sort->kind == SORT_ARRAY)) return v;
    return NULL;
}

/* Shortens the doubtful trace, which may remove the steps that depend on over-approximations. Returns true if it did: the trace is then the
   context's violation. */
static bool becomes_sure(Context *c) {
    Trace *t = c->doubtful;
    c->doubtful = NULL;
    shorten(c, t);
    return context_add_doubtful(c, t);
}

/* Answers a question that bounds the number of context switches (--context-bound). */
static Verdict *decide_bounded(Context *c, unsigned most) {
    uint64_t states;
    bool all;
    SearchEnd end = search_switches(c, most, deadline_of(c), &states, &all);
    if (end == SEARCH_FOUND) return unsafe(c);
    if (c->incomplete || c->doubtful || c->beyond_limit || end != SEARCH_EXHAUSTED) return unknown(c, end, states);
    Verdict *v = verdict_unknown((Position){0}, MSG_ENGINE_SWITCHES, most, most == 1 ? "" : "es", (unsigned long long)states,
                                 all ? MSG_ENGINE_SWITCHES_ALL : "");
    give_notes(c, v);
    notice_warn(c, v);
    return v;
}

/* Answers whether every execution ends. */
static Verdict *decide_ends(Context *c) {
    uint64_t states = 0;
    LassoEnd end;
    if (c->task->simulates_only) return verdict_unknown((Position){0}, MSG_ENGINE_RANDOM_ENDLESS);
    for (c->thread_limit = creates_many(c->program) ? 3 : 0;; c->thread_limit++) {
        c->beyond_limit = NULL;
        end = lasso_search(c, true, deadline_of(c), &states);
        if (end == LASSO_FOUND) return unsafe(c);
        if (end == LASSO_LIMIT || !c->beyond_limit || !c->thread_limit || c->thread_limit == MOST_SEARCHED) break;
    }
    if (end == LASSO_LIMIT || c->incomplete || c->doubtful || c->beyond_limit) {
        Verdict *v = unknown(c, end == LASSO_LIMIT ? SEARCH_TIME : SEARCH_EXHAUSTED, states);
        if (v->cause == REASON_INPUTS) v->cause = REASON_LIMIT; /* an engine that searches for ranking functions reports a better reason */
        return v;
    }
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_EXHAUSTED;
    v->states = states;
    give_notes(c, v);
    return v;
}

static Verdict *decide_again(Context *c) {
    SearchEnd end;
    if (revisit_states(c, 0.05, deadline_of(c), &end)) {
        Verdict *v = verdict_new(VERDICT_SAFE);
        v->proof = PROOF_EXHAUSTED;
        v->states = c->task->stats->again;
        return v;
    }
    return end == SEARCH_FOUND ? unsafe(c) : unknown(c, end, c->task->stats->again);
}

static const double first_simulation = 0.02; /* seconds */

static bool has_visited_all(const Context *c, SearchEnd end) {
    return end == SEARCH_EXHAUSTED && !c->incomplete && !c->doubtful && !c->beyond_limit;
}

static Verdict *decide(Context *c) {
    uint64_t states = 0;
    const Variable *v = unbounded_start(c->program);
    if (v) return verdict_unknown(v->position, MSG_ENGINE_STARTS_WITH_ANY, v->name, v->sort->kind == SORT_INT ? "integer" : "array");
    if (c->task->claimed_states) return decide_again(c);
    if (c->task->question->property == PROPERTY_TERMINATION) return decide_ends(c);
    if (c->task->question->has_context_bound) return decide_bounded(c, c->task->question->context_bound);
    c->thread_limit = creates_many(c->program) ? 3 : 0;
    if (simulation_run(c, c->task->simulates_only ? deadline_of(c) : soon(c, first_simulation))) return unsafe(c);
    if (c->task->simulates_only)
        return verdict_unknown((Position){0}, MSG_ENGINE_RANDOM_NO_ERROR, (unsigned long long)c->task->stats->runs);
    SearchEnd end;
    for (;;) {
        double t = context_seconds(c);
        c->beyond_limit = NULL;
        end = search_and_simulate(c, &states);
        if (end == SEARCH_FOUND) return unsafe(c);
        if (end != SEARCH_EXHAUSTED || !c->beyond_limit || !c->thread_limit || c->thread_limit == MOST_SEARCHED) break;
        c->thread_limit++;
        if (simulation_run(c, soon(c, context_seconds(c) - t))) return unsafe(c); /* an error may need all of the threads */
    }
    if (has_visited_all(c, end)) return safe(c, states, deadline_of(c));
    /* Random runs may still try values that were not tried, or reach an error without an over-approximation. */
    double more = context_seconds(c) + 1;
    bool worth = (c->sampled || end != SEARCH_EXHAUSTED) && !has_seen_enough(c);
    while (worth && !has_seen_enough(c) && context_seconds(c) < deadline_of(c))
        if (simulation_run(c, deadline_of(c))) return unsafe(c);
    if (c->doubtful && simulation_run(c, more < deadline_of(c) ? more : deadline_of(c))) return unsafe(c);
    if (c->doubtful && becomes_sure(c)) return unsafe(c);
    return unknown(c, end, states);
}

Context *context_new(const EngineTask *task) {
    Context *c = zeroed(1, sizeof *c);
    c->task = task;
    c->program = task->program;
    c->start = clock_seconds();
    c->noted = map_new();
    c->random = (task->seed + 1) * 0x9e3779b97f4a7c15u | 1;
    c->machine = machine_new(task->program, question_rules(task->question));
    c->inputs = inputs_new(task->program);
    c->asserts = asserts_new(task->program);
    c->faults = property_faults(task->question->property, task->question->parts);
    c->deadlocks = task->question->property == PROPERTY_NO_DEADLOCK;
    bool ends = question_has_parts(task->question, PART_MEMTRACK | PART_MEMCLEANUP);
    c->leaks = task->question->property == PROPERTY_VALID_MEMSAFETY && ends && program_allocates(task->program);
    c->reduction = reduction_new(task->program, c->machine, c->leaks);
    vec_resize(c->judged, vec_len(c->asserts->places));
    for (size_t i = 0; i < vec_len(c->program->approximations); i++) c->has_results |= c->program->approximations[i].result;
    return c;
}

void context_free(Context *c) {
    trace_free(c->trace);
    trace_free(c->doubtful);
    free(c->incomplete);
    free(c->cut);
    for (size_t i = 0; i < vec_len(c->notes); i++) free(c->notes[i]);
    vec_free(c->notes);
    map_free(c->noted);
    asserts_free(c->asserts);
    vec_free(c->judged);
    free(c->deadlock);
    inputs_free(c->inputs);
    reduction_free(c->reduction);
    machine_free(c->machine);
    free(c);
}

static bool asks_for_all(const EngineTask *t) {
    return t->question->property != PROPERTY_TERMINATION && !t->question->has_context_bound && !t->simulates_only &&
           !t->searches_assertion && !t->claimed_states;
}

/* Visits all states if they are so few that this takes less time than the first random simulation. Returns SAFE, or NULL if there are more states, if
   something was left out, or if a violation was met. */
static Verdict *visit_few(const EngineTask *task) {
    enum { FEW = 1000 };
    Stats stats = {0};
    EngineTask few = *task;
    few.stats = &stats;
    Context *c = context_new(&few);
    Verdict *v = NULL;
    if (!unbounded_start(c->program) && !creates_many(c->program)) {
        Search *x = search_new(c, true, NULL, task->budget.memory / 4);
        SearchEnd end = search_continue(x, soon(c, first_simulation), FEW);
        uint64_t states = search_states(x);
        search_free(x);
        if (has_visited_all(c, end)) v = safe(c, states, deadline_of(c));
    }
    context_free(c);
    if (v) *task->stats = stats;
    return v;
}

static Verdict *run(const EngineTask *task) {
    Stats unused = {0};
    EngineTask own = *task;
    if (!own.stats) own.stats = &unused;
    Verdict *v = asks_for_all(&own) ? visit_few(&own) : NULL;
    if (v) return v;
    Context *c = context_new(&own);
    v = decide(c);
    context_free(c);
    return v;
}

static bool supports(Property p) { return (unsigned)p < NPROPERTIES; }

const Engine engine_explicit = {
    .name = "explicit",
    .summary = "visits every reachable state; searches at random where there are too many",
    .supports = supports,
    .errors = ERRORS_RACES,
    .run = run,
    .settings = certify_settings,
};
