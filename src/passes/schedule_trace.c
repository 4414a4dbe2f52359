/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a schedule of the system into a trace of the original program.

   requires  the system with its fine system, the program that it was made from, and the translation from there to the original
   ensures   the trace is an execution of the original program: ir/step has taken each of its steps
   breaks    nothing

   A model of the schedule's path formula gives values to inputs, to undefined memory and to the initial variables. If a transition has
   several ways, these values decide between them. So the transition becomes a sequence of actions, each a transition of the fine system.

   Then ir/step runs the original program along these actions. When an instruction asks for a value, it gets the value that its target has
   in the fine system after this step. If some step cannot be taken, there is no trace. */
#include "passes/schedule_trace.h"
#include "base/map.h"
#include "ir/step.h"
#include "passes/system/tidy.h"
#include <stdlib.h>

enum { SOLVER_MS = 20000, SMALL = 16, MOST_ROUNDS = 1000 };

typedef struct Path {
    const System *system;
    const Expr **values; /* by variable: its present value, over initial values and inputs */
    Map *inputs;         /* Symbol of an input → its value (Expr) in the present step */
} Path;

static const Expr *image(void *context, const Expr *e) {
    const Path *p = context;
    unsigned v = system_variable(p->system, e->symbol);
    const Expr *input = map_find(p->inputs, e->symbol);
    if (input) return input;
    return v == NONE ? NULL : p->values[v];
}

static const Expr *now_value(Path *p, const Expr *e) { return expr_substitute(p->system->exprs, e, image, p); }

static void path_start(Path *p, const System *s) {
    *p = (Path){.system = s, .inputs = map_new()};
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        vec_push(p->values, s->variables[v].init ? s->variables[v].init : system_expr(s, v));
}

static void path_free(Path *p) {
    vec_free(p->values);
    map_free(p->inputs);
}

/* Gives each input of the transition a fresh symbol for this step, unless the step has a value for it already. */
static void new_inputs(Path *p, const Transition *tr) {
    Exprs *x = p->system->exprs;
    vec_each(const Symbol *, input, tr->inputs)
        if (!map_find(p->inputs, input))
            map_set(p->inputs, input, (void *)expr_symbol(x, symbol_new(x, SYM_VARIABLE, input->name, input->sort)));
}

/* Takes the transition, and returns its guard over initial values and inputs. */
static const Expr *path_step(Path *p, const Transition *tr) {
    const Expr **after = NULL;
    new_inputs(p, tr);
    const Expr *guard = now_value(p, tr->guard);
    for (size_t u = 0; u < vec_len(tr->updates); u++) vec_push(after, now_value(p, tr->updates[u].value));
    for (size_t u = 0; u < vec_len(tr->updates); u++) p->values[tr->updates[u].variable] = after[u];
    vec_free(after);
    return guard;
}

/* ---- from transitions to actions ---- */

/* One action of a thread; after: by variable, its value after the action */
typedef struct FineStep {
    unsigned thread, transition;
    const Expr **after;
} FineStep;

typedef struct Expansion {
    const System *coarse;
    Path path; /* in the fine system */
    Solver *solver;
    unsigned thread;
    const Expr **start; /* by variable: the initial value */
    FineStep *steps;    /* a vec */
} Expansion;

static const Transition *fine_transition(const Expansion *x, unsigned action) {
    const SystemThread *t = &x->path.system->threads[x->thread];
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].actions[0] == action) return &t->transitions[i];
    die("schedule: no such action");
}

static const Expr **values_copy(const Path *p) {
    const Expr **copy = NULL;
    for (size_t v = 0; v < vec_len(p->values); v++) vec_push(copy, p->values[v]);
    return copy;
}

/* Drops all but the first n steps, and restores the values. */
static void go_back(Expansion *x, size_t n, const Expr *const *values) {
    while (vec_len(x->steps) > n) {
        vec_free(vec_last(x->steps).after);
        (void)vec_pop(x->steps);
    }
    for (size_t v = 0; v < vec_len(values); v++) x->path.values[v] = values[v];
}

/* Returns the index of the mark OR or END at which the way that begins at i ends. */
static size_t way_end(const unsigned *actions, size_t i) {
    for (size_t depth = 0;; i++) {
        if (actions[i] == ACTIONS_EITHER || actions[i] == ACTIONS_LOOP) depth++;
        if (depth == 0 && (actions[i] == ACTIONS_OR || actions[i] == ACTIONS_END)) return i;
        if (actions[i] == ACTIONS_END) depth--;
    }
}

/* Adds a step for each of the actions from i on. True if the model satisfies all guards. */
static bool follow(Expansion *x, const unsigned *actions, size_t i);

static bool follow_choice(Expansion *x, const unsigned *actions, size_t i) {
    const Expr **before = values_copy(&x->path);
    size_t n = vec_len(x->steps), end = i;
    bool found = false;
    while (actions[end] != ACTIONS_END) end = way_end(actions, end + 1);
    for (size_t from = i + 1; from <= end && !found; from = way_end(actions, from) + 1) {
        unsigned *way = NULL;
        for (size_t k = from; k < way_end(actions, from); k++) vec_push(way, actions[k]);
        for (size_t k = end + 1; k < vec_len(actions); k++) vec_push(way, actions[k]);
        found = follow(x, way, 0);
        vec_free(way);
        if (!found) go_back(x, n, before);
    }
    vec_free(before);
    return found;
}

/* Sets the inputs of the loop's next round (SystemFill). */
static void set_fills(Expansion *x) {
    const System *s = x->coarse;
    for (size_t i = 0; i < vec_len(s->fills); i++) {
        const Expr *array = x->path.values[s->fills[i].array], *index = x->path.values[s->fills[i].index];
        map_set(x->path.inputs, s->fills[i].input, (void *)expr_2(s->exprs, OP_SELECT, array, index));
    }
}

/* Adds rounds of the loop while the model satisfies the guards of a further round. False after MOST_ROUNDS rounds. */
static bool follow_loop(Expansion *x, const unsigned *actions, size_t from, size_t to) {
    unsigned *way = NULL;
    bool more = true, few = true;
    for (size_t k = from; k < to; k++) vec_push(way, actions[k]);
    for (unsigned round = 0; more && few; round++) {
        const Expr **before = values_copy(&x->path);
        size_t n = vec_len(x->steps);
        set_fills(x);
        more = follow(x, way, 0);
        few = round < MOST_ROUNDS;
        if (!more) go_back(x, n, before);
        vec_free(before);
    }
    vec_free(way);
    return few;
}

static bool follow(Expansion *x, const unsigned *actions, size_t i) {
    for (; i < vec_len(actions); i++) {
        if (actions[i] == ACTIONS_EITHER) return follow_choice(x, actions, i);
        if (actions[i] == ACTIONS_LOOP) {
            size_t end = way_end(actions, i + 1);
            if (!follow_loop(x, actions, i + 1, end)) return false;
            i = end;
            continue;
        }
        const Transition *tr = fine_transition(x, actions[i]);
        const Expr *guard = solver_value(x->solver, path_step(&x->path, tr));
        if (!guard || !expr_is_true(guard)) return false;
        vec_push(x->steps, ((FineStep){x->thread, tr->index, values_copy(&x->path)}));
    }
    return true;
}

/* ---- running the original ---- */

typedef struct Runner {
    const Program *now;
    const System *system;
    Solver *solver;
    const Expr *const *values; /* by variable: the value after the present step */
    unsigned template_;        /* the template of the present step, in the transformed program */
    u128 *choices;             /* a vec: the choices made in this step */
    u128 *pending;             /* a vec: the rest of an array's choices, last first */
} Runner;

static const Variable *transformed(const Runner *r, const Variable *v) {
    Variable **list = v->global ? r->now->globals : r->now->templates[r->template_]->locals;
    return v->index < vec_len(list) ? list[v->index] : NULL;
}

/* Returns the value of the variable in the model after the present step. NULL if the model has no value for it, so that any value will do. */
static const Expr *value_of(const Runner *r, const Variable *v) {
    const Variable *image_ = v ? transformed(r, v) : NULL;
    for (unsigned i = 0; image_ && i < vec_len(r->system->variables); i++)
        if (r->system->variables[i].origin == image_) return solver_value(r->solver, r->values[i]);
    return NULL;
}

/* Appends the choices that make the value e of this sort, in the order that CHOICE_VALUE expects. */
static void push_choices(u128 **list, const Sort *sort, const Expr *e) {
    const Expr **stores = NULL;
    if (sort->kind != SORT_ARRAY) {
        vec_push(*list, e && expr_is_const(e) ? e->value : 0);
        return;
    }
    for (; e && e->op == OP_STORE; e = e->args[0]) vec_push(stores, e);
    push_choices(list, sort->element, e && e->op == OP_CONST_ARRAY ? e->args[0] : NULL);
    vec_push(*list, vec_len(stores));
    while (vec_len(stores)) {
        const Expr *s = vec_pop(stores);
        push_choices(list, sort->index, s->args[1]);
        push_choices(list, sort->element, s->args[2]);
    }
    vec_free(stores);
}

/* Returns the next choice for the array. The first call computes all of them. */
static u128 next_of_array(Runner *r, const Variable *v) {
    if (!vec_len(r->pending)) {
        u128 *list = NULL;
        push_choices(&list, v->sort, value_of(r, v));
        while (vec_len(list)) vec_push(r->pending, vec_pop(list));
        vec_free(list);
    }
    return vec_pop(r->pending);
}

static u128 choose(void *context, const Choice *c) {
    Runner *r = context;
    bool whole = c->variable && (c->variable->global || c->variable->sort == c->sort); /* not only some of its bytes */
    const Variable *v = whole ? c->variable : c->instr ? c->instr->target : NULL;
    bool of_array = v && v->sort->kind == SORT_ARRAY && c->kind != CHOICE_ONE_OF;
    const Expr *e = !of_array && c->kind == CHOICE_VALUE ? value_of(r, v) : NULL;
    u128 value = of_array ? next_of_array(r, v) : e && expr_is_const(e) ? e->value : 0;
    if (c->sort && c->sort->kind == SORT_BV && c->sort->width < 128) value &= ((u128)1 << c->sort->width) - 1;
    if (c->sort && c->sort->kind == SORT_BOOL) value = value != 0;
    vec_push(r->choices, value);
    return value;
}

static const Expr *transition_types(const System *s, const Transition *tr) {
    const Expr *e = tidy_types(s, tr->guard);
    for (size_t u = 0; u < vec_len(tr->updates); u++) e = expr_and(s->exprs, e, tidy_types(s, tr->updates[u].value));
    return e;
}

/* Sets the inputs that prophecy_indices.c chose at the start. Each is a variable of the composed system, with the symbol of the input, that
   the fine system lacks. */
static void add_prophecy(const System *s, Map *inputs) {
    for (size_t v = s->fine ? vec_len(s->fine->variables) : vec_len(s->variables); v < vec_len(s->variables); v++)
        map_set(inputs, s->variables[v].symbol, (void *)system_expr(s, (unsigned)v));
}

/* Asserts the path formula. Returns a vec of maps, by step: from each input of the step to its value. */
static Map **assert_path(const System *s, Solver *solver, const ScheduleStep *steps, size_t n) {
    Map **inputs = NULL;
    Path p;
    path_start(&p, s);
    for (size_t i = 0; i < n; i++) {
        ensure(steps[i].thread < vec_len(s->threads) && steps[i].transition < vec_len(s->threads[steps[i].thread].transitions));
        const Transition *tr = &s->threads[steps[i].thread].transitions[steps[i].transition];
        solver_assert(solver, now_value(&p, transition_types(s, tr)));
        solver_assert(solver, path_step(&p, tr));
        add_prophecy(s, p.inputs);
        vec_push(inputs, p.inputs);
        p.inputs = map_new();
    }
    path_free(&p);
    return inputs;
}

static void assert_small(Exprs *x, Solver *solver, const Symbol *input) {
    const Expr *e = expr_symbol(x, input);
    if (input->sort->kind != SORT_INT) return;
    solver_assert(solver, expr_2(x, OP_SLE, expr_int(x, -SMALL), e));
    solver_assert(solver, expr_2(x, OP_SLE, e, expr_int(x, SMALL)));
}

/* True if the path formula has a model. If transitions stand for loops (SystemFill), a model with small inputs is preferred, since it has
   few rounds. */
static bool is_possible(const System *s, Solver *solver, Map *const *inputs, const ScheduleStep *steps) {
    if (solver_check(solver) != SMT_SAT) return false;
    if (!vec_len(s->fills)) return true;
    solver_push(solver);
    for (size_t i = 0; i < vec_len(inputs); i++) {
        const Transition *tr = &s->threads[steps[i].thread].transitions[steps[i].transition];
        for (size_t k = 0; k < vec_len(tr->inputs); k++)
            assert_small(s->exprs, solver, ((const Expr *)map_find(inputs[i], tr->inputs[k]))->symbol);
    }
    if (solver_check(solver) == SMT_SAT) return true;
    solver_pop(solver);
    return solver_check(solver) == SMT_SAT;
}

static bool expand(Expansion *x, const System *s, Map *const *inputs, const ScheduleStep *steps, size_t n) {
    path_start(&x->path, s->fine ? s->fine : s);
    map_free(x->path.inputs);
    x->start = values_copy(&x->path);
    bool found = true;
    for (size_t i = 0; i < n && found; i++) {
        x->path.inputs = inputs[i];
        x->thread = steps[i].thread;
        found = follow(x, s->threads[x->thread].transitions[steps[i].transition].actions, 0);
    }
    x->path.inputs = NULL;
    return found;
}

/* Records the number of a created thread. A thread marked many stands for several: the first is the first instance, the next is the second
   instance. Later threads get no number, so they take no step. */
static void set_number(const System *s, unsigned t, unsigned *numbers, unsigned number) {
    if (s->threads[t].many && numbers[t]) t = s->threads[t].other_instance;
    if (!s->threads[t].many || !numbers[t]) numbers[t] = number;
}

static Trace *run(const Program *original, const Translation *translation, Runner *r, const FineStep *steps) {
    const System *s = r->system;
    Machine *m = machine_new(original, (MachineRules){0});
    Chooser chooser = {choose, r};
    Trace *trace = trace_new();
    State *state = state_initial(m, &chooser);
    unsigned *number = NULL, created = 1; /* numbers are given in the order of creation */
    vec_resize(number, vec_len(s->threads));
    number[0] = 1;
    trace->initial = r->choices;
    for (size_t i = 0; i < vec_len(steps) && trace; i++) {
        const SystemThread *t = &s->threads[steps[i].thread];
        const Transition *tr = &t->transitions[steps[i].transition];
        unsigned action = translation->actions[t->template_][tr->actions[0]], thread = number[steps[i].thread];
        r->values = steps[i].after;
        r->template_ = t->template_;
        r->choices = NULL;
        bool done = thread && machine_step(m, state, thread, action, &chooser, NULL).status == STEP_DONE;
        trace_add(trace, thread, action, r->choices);
        if (!done) {
            trace_free(trace);
            trace = NULL;
        }
        if (tr->creates != NONE) set_number(s, tr->creates, number, ++created);
    }
    vec_free(number);
    vec_free(r->pending);
    state_free(m, state);
    machine_free(m);
    return trace;
}

Trace *schedule_trace(const Program *original, const Program *now, const Translation *translation, const System *s, Smt *smt,
                      const ScheduleStep *steps, size_t n) {
    ensure(translation_valid(translation, now));
    ensure(!n || steps);
    Solver *solver = solver_new(smt, SOLVER_MS);
    Map **inputs = assert_path(s, solver, steps, n);
    Trace *trace = NULL;
    Expansion x = {.coarse = s, .solver = solver};
    if (is_possible(s, solver, inputs, steps) && expand(&x, s, inputs, steps, n)) {
        Runner r = {.now = now, .system = s->fine ? s->fine : s, .solver = solver, .values = x.start};
        trace = run(original, translation, &r, x.steps);
    }
    go_back(&x, 0, NULL);
    vec_free(x.steps);
    vec_free(x.start);
    path_free(&x.path);
    for (size_t i = 0; i < vec_len(inputs); i++) map_free(inputs[i]);
    vec_free(inputs);
    solver_free(solver);
    return trace;
}
