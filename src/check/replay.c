/* SPDX-License-Identifier: Apache-2.0 */
#include "check/replay.h"
#include "ir/clocks.h"
#include "ir/script.h"
#include "ir/wait.h"
#include "result/assume.h"
#include "check/messages.h"
#include <string.h>

static const char *explain(StepResult r, const Script *script) {
    if (script->missing) return MSG_CHECK_STEP_CHOICES;
    if (r.status == STEP_FAULT) return fault_text(r.fault);
    if (r.status == STEP_DISABLED) return r.blocked ? MSG_CHECK_STEP_BLOCKED : MSG_CHECK_STEP_DISABLED;
    return NULL;
}

static bool step_exists(const Program *p, const State *s, const TraceStep *step) {
    if (step->thread == 0 || step->thread > state_threads(s)) return false;
    if (step->action == TRACE_FLUSH) return vec_len(step->choices) == 1;
    return step->action < vec_len(p->templates[state_template(s, step->thread)]->actions);
}

static void complain(Buf *why_not, size_t i, const TraceStep *step, const char *why) {
    if (why_not) buf_printf(why_not, MSG_CHECK_STEP_IMPOSSIBLE, i + 1, step->thread, step->action, why);
}

/* in replay_graph.c */
bool replay_graph(const Program *, Machine *, const Trace *, State *, ReplayVisit *, void *context, Buf *why_not);

static bool run(const Program *p, Machine *m, const Trace *t, State *s, ReplayVisit *visit, void *context, Buf *why_not) {
    Accesses accesses = {0};
    bool good = true;
    size_t n = vec_len(t->steps);
    State *before = NULL; /* the last two steps of a race start from this state */
    for (size_t i = 0; i < n && good; i++) {
        const TraceStep *step = &t->steps[i];
        if (t->end == TRACE_RACE && i + 2 == n) before = state_copy(m, s);
        if (before && i + 1 == n) state_assign(m, s, before);
        const char *why = MSG_CHECK_STEP_UNKNOWN;
        if (step_exists(p, s, step)) {
            Script script = {.choices = step->choices};
            Chooser chooser = script_chooser(&script);
            const Template *template_ = p->templates[state_template(s, step->thread)];
            vec_clear(accesses.list);
            bool flush = step->action == TRACE_FLUSH;
            const Action *action = flush ? NULL : &template_->actions[step->action];
            StepResult r = flush ? machine_flush(m, s, step->thread, (unsigned)step->choices[0], &accesses, &action)
                                 : machine_step(m, s, step->thread, step->action, &chooser, &accesses);
            if (before) script.missing = false; /* choices of the step after the racing access are irrelevant */
            why = explain(r, &script);
            ReplayStep done = {step->thread, template_, action, flush, accesses.list, vec_len(accesses.list), s, step->choices, NULL};
            if (r.status == STEP_FAULT && !flush && t->end == TRACE_FAULT && i + 1 == n) done.fault = &r;
            if ((!why || done.fault) && visit) visit(context, m, &done);
        }
        good = !why;
        if (!good) complain(why_not, i, step, why);
    }
    vec_free(accesses.list);
    if (before) state_free(m, before);
    return good;
}

/* Returns whether the trace is an interleaving under any memory model. So is a trace that ends with unordered accesses, and a trace
   under C11 without reads-from edges. */
static bool is_interleaving(const Program *p, const Trace *t) {
    bool reads_from = false;
    for (size_t i = 0; i < vec_len(t->steps); i++) reads_from |= t->steps[i].action == TRACE_FLUSH;
    return t->end == TRACE_UNORDERED || (p->memory == MEMORY_C11 && !reads_from);
}

bool replay(const Program *p, const Question *q, const Trace *t, ReplayVisit *visit, void *context, Buf *why_not) {
    Program interleaved = *p;
    if (is_interleaving(p, t)) interleaved.memory = MEMORY_SC, p = &interleaved;
    Machine *m = machine_new(p, question_rules(q));
    machine_watch_copies(m);
    Script script = {.choices = t->initial};
    Chooser chooser = script_chooser(&script);
    State *s = state_initial(m, &chooser);
    bool good = !script.missing;
    if (!good && why_not) buf_text(why_not, MSG_CHECK_START_CHOICES);
    good = good && (p->memory == MEMORY_C11 ? replay_graph : run)(p, m, t, s, visit, context, why_not);
    state_free(m, s);
    machine_free(m);
    return good;
}

typedef struct Violation {
    const Program *program;
    const Trace *trace;
    size_t steps;
    bool error;        /* the last step reached an ERROR location */
    bool differ;       /* an undefined byte was copied, and the copies were read with two values */
    bool waits, leaks; /* the last state is a deadlock, or has leaked memory */
    bool races;        /* the last two steps race, or the last step races with an earlier one */
    Clocks *clocks;    /* for unordered accesses; NULL: the trace does not end with them */
    Fault fault;       /* the fault of the last step */
    Access *accesses;  /* a vec: in a race, the accesses of the step before the last */
    bool section;      /* that step is in an atomic section */
    Buf loop;          /* the state before the loop of an endless trace */
    bool repeats;      /* the state after the last step is `loop` */
    bool outside;      /* the loop has a state outside of atomic sections */
    bool *served;      /* a vec, by thread number: it takes a step in the loop, or is blocked at some point */
} Violation;

static bool overlap(const Access *a, const Access *b) {
    if (a->variable || b->variable) return a->variable == b->variable;
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool is_mutex(const Access *a) { return a->kind == ACCESS_LOCK || a->kind == ACCESS_UNLOCK; }

static bool is_data(const Access *a) {
    return a->shared && (a->kind == ACCESS_READ || a->kind == ACCESS_WRITE || a->kind == ACCESS_FREE || is_mutex(a));
}

/* True if the access may begin or end the life of a mutex, which races with taking and releasing it. */
static bool is_life(const Access *a) { return a->kind == ACCESS_FREE || a->kind == ACCESS_ALLOC || (a->instr && a->instr->life); }

bool accesses_race(const Access *a, const Access *b) {
    if ((is_mutex(a) && !is_life(b)) || (is_mutex(b) && !is_life(a))) return false;
    if (!is_data(a) || !is_data(b) || (a->kind == ACCESS_READ && b->kind == ACCESS_READ)) return false;
    return !((a->atomic || is_mutex(a)) && (b->atomic || is_mutex(b))) && overlap(a, b);
}

static void watch_race(Violation *v, const ReplayStep *step) {
    for (size_t i = 0; i < step->naccesses; i++) {
        if (v->steps + 1 < vec_len(v->trace->steps)) {
            vec_push(v->accesses, step->accesses[i]);
            v->section = step->action->section;
            continue;
        }
        for (size_t k = 0; k < vec_len(v->accesses) && !(v->section && step->action->section); k++)
            v->races |= accesses_race(&v->accesses[k], &step->accesses[i]);
    }
}

/* Notes the threads that step or are blocked. In an atomic section, blocked threads are not noted, since no other thread can step. */
static void watch_fairness(Violation *v, Machine *m, const ReplayStep *step) {
    const State *s = step->after;
    vec_resize(v->served, state_threads(s) + 1);
    v->served[step->thread] = true;
    v->outside |= !state_atomic_thread(m, s);
    for (unsigned t = 1; t <= state_threads(s) && !state_atomic_thread(m, s); t++) v->served[t] |= !state_can_move(m, s, t);
}

/* Returns whether the loop is fair. If it never leaves an atomic section, no other thread can step. */
static bool all_served(const Violation *v) {
    for (size_t t = 1; t < vec_len(v->served) && v->outside; t++)
        if (!v->served[t]) return false;
    return true;
}

/* Returns whether no thread waits for a delayed store. Such a thread does not wait for ever, and memory that the store points to is not
   lost. */
static bool all_arrived(const State *s) {
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (state_buffered_stores(s, t)) return false;
    return true;
}

static void watch_loop(Violation *v, Machine *m, const ReplayStep *step) {
    Buf now = {0};
    if (step->fault) return;
    if (v->trace->end == TRACE_FAIR && v->steps > v->trace->loop) watch_fairness(v, m, step);
    if (!all_arrived(step->after)) return;
    if (v->steps == v->trace->loop) state_encode(m, step->after, &v->loop);
    if (v->steps != vec_len(v->trace->steps) || v->steps <= v->trace->loop) return;
    state_encode(m, step->after, &now);
    v->repeats = now.length && now.length == v->loop.length && !memcmp(now.text, v->loop.text, now.length);
    buf_free(&now);
}

static void watch(void *context, Machine *m, const ReplayStep *step) {
    Violation *v = context;
    size_t n = vec_len(v->trace->steps);
    const Object *object;
    v->differ = machine_copies_differ(m);
    v->error = !step->fault && !step->flush && step->template_->locations[step->action->target].kind == LOCATION_ERROR;
    v->fault = step->fault ? step->fault->fault : FAULT_NONE;
    ClockedAccess first;
    Access second;
    if (v->trace->end == TRACE_RACE && v->steps + 2 >= n) watch_race(v, step);
    if (v->clocks) v->races = clocks_step(v->clocks, step->thread, step->action, step->accesses, step->naccesses, &first, &second);
    v->steps++;
    if (TRACE_LOOPS(v->trace->end)) watch_loop(v, m, step);
    if (v->steps < n || step->fault || !all_arrived(step->after)) return;
    v->waits = v->trace->end == TRACE_DEADLOCK && state_deadlock(m, step->after, NULL);
    v->leaks = v->trace->end == TRACE_LEAK && state_halted(m, step->after) && state_leak(m, step->after, &object);
}

bool replay_check(const Program *p, const Question *q, const Trace *t, Buf *why_not) {
    ensure(question_valid(q));
    if (!replay_violates(p, q, t, why_not)) return false;
    size_t *assumptions = trace_assumptions(p, t);
    bool good = !vec_len(assumptions);
    if (!good && why_not) buf_printf(why_not, MSG_CHECK_APPROXIMATED_STEP, assumptions[0] + 1);
    vec_free(assumptions);
    return good;
}

/* Returns how the end of the trace differs from its claim, or NULL if it agrees. */
static const char *find_mismatch(const Violation *v, const Question *q) {
    Property property = q->property;
    bool other = false;
    if (v->differ) return MSG_CHECK_COPIES;
    switch (v->trace->end) {
    case TRACE_ERROR:
        other = property != PROPERTY_UNREACH_CALL;
        if (!v->error) return MSG_CHECK_NO_ERROR;
        break;
    case TRACE_FAULT:
        if (!faults_have(property_faults(property, q->parts), v->fault)) return MSG_CHECK_NO_FAULT;
        break;
    case TRACE_DEADLOCK:
        other = property != PROPERTY_NO_DEADLOCK;
        if (!v->waits) return MSG_CHECK_NO_DEADLOCK;
        break;
    case TRACE_LEAK:
        other = property != PROPERTY_VALID_MEMSAFETY || !question_has_parts(q, PART_MEMTRACK | PART_MEMCLEANUP);
        if (!v->leaks) return MSG_CHECK_NO_LEAK;
        break;
    case TRACE_ENDLESS:
        other = property != PROPERTY_TERMINATION;
        if (!v->repeats) return MSG_CHECK_NO_REPETITION;
        break;
    case TRACE_FAIR:
        other = property != PROPERTY_TERMINATION;
        if (!v->repeats) return MSG_CHECK_NO_REPETITION;
        if (!all_served(v)) return MSG_CHECK_UNFAIR_LOOP;
        break;
    case TRACE_RACE:
        other = property != PROPERTY_NO_DATA_RACE;
        if (!v->races) return MSG_CHECK_NO_RACE;
        break;
    case TRACE_UNORDERED:
        other = property != PROPERTY_NO_DATA_RACE;
        if (!v->races) return MSG_CHECK_ORDERED;
    }
    return other ? MSG_CHECK_OTHER_PROPERTY : NULL;
}

bool replay_from_start(const Program *p, const Question *q, const Trace *t, bool (*look)(void *context, Machine *, const State *),
                       void *context) {
    Machine *m = machine_new(p, question_rules(q));
    Script script = {.choices = t->initial};
    Chooser chooser = script_chooser(&script);
    State *s = state_initial(m, &chooser);
    bool answer = !script.missing && look(context, m, s);
    state_free(m, s);
    machine_free(m);
    return answer;
}

static bool starts_in_deadlock(void *context, Machine *m, const State *s) {
    (void)context;
    return state_deadlock(m, s, NULL) != DEADLOCK_NONE;
}

bool replay_violates(const Program *p, const Question *q, const Trace *t, Buf *why_not) {
    Violation v = {.program = p, .trace = t};
    if (t->end == TRACE_UNORDERED) v.clocks = clocks_new();
    if (!vec_len(t->steps) && t->end == TRACE_DEADLOCK) {
        bool waits = q->property == PROPERTY_NO_DEADLOCK && replay_from_start(p, q, t, starts_in_deadlock, NULL);
        if (!waits && why_not) buf_text(why_not, MSG_CHECK_NO_DEADLOCK_START);
        return waits;
    }
    bool at_fault = t->end == TRACE_FAULT, ran = replay(p, q, t, watch, &v, at_fault ? NULL : why_not);
    const char *missing = ran || at_fault ? find_mismatch(&v, q) : NULL;
    if (missing && why_not) buf_text(why_not, missing);
    vec_free(v.accesses);
    buf_free(&v.loop);
    vec_free(v.served);
    if (v.clocks) clocks_free(v.clocks);
    return !missing && (ran || (at_fault && v.steps == vec_len(t->steps)));
}

typedef struct Unordered {
    Clocks *clocks;
    ClockedAccess *first;
    Access *second;
    bool races; /* the last step races */
} Unordered;

static void watch_order(void *context, Machine *m, const ReplayStep *s) {
    Unordered *u = context;
    (void)m;
    u->races = clocks_step(u->clocks, s->thread, s->action, s->accesses, s->naccesses, u->first, u->second);
}

bool replay_unordered(const Program *p, const Question *q, const Trace *t, ClockedAccess *first, Access *second) {
    Unordered u = {.clocks = clocks_new(), .first = first, .second = second};
    bool ran = replay(p, q, t, watch_order, &u, NULL);
    clocks_free(u.clocks);
    return ran && u.races;
}

static void watch_fault(void *context, Machine *m, const ReplayStep *step) {
    bool *found = context;
    (void)m;
    *found = step->fault && faults_have(faults_all(), step->fault->fault);
}

bool replay_to_fault(const Program *p, const Question *q, const Trace *t) {
    bool found = false;
    replay(p, q, t, watch_fault, &found, NULL);
    return found;
}
