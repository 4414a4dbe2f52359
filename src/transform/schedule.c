/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule's path formula gives values for inputs, undefined memory and what variables start with; then the original program
   is run along the schedule with ir/step, and whenever it asks for a value, it gets the one that the asking instruction's target has
   in the system after that step. The run decides: if a step cannot be taken, there is no trace. */
#include "transform/schedule.h"
#include "base/die.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/step.h"
#include <stdlib.h>

enum { SOLVER_MS = 20000 };

typedef struct Path {
    const System *system;
    const Expr **values;  /* by variable: now, in terms of the start and of inputs */
    Map *inputs;          /* Symbol of an input -> its copy in the present step */
} Path;

static const Expr *image(void *context, const Expr *e) {
    const Path *p = context;
    unsigned v = system_variable(p->system, e->symbol);
    const Symbol *input = map_find(p->inputs, e->symbol);
    if (input) return expr_symbol(p->system->exprs, input);
    return v == NONE ? NULL : p->values[v];
}

static const Expr *now_value(Path *p, const Expr *e) { return expr_substitute(p->system->exprs, e, image, p); }

static void path_start(Path *p, const System *s) {
    *p = (Path){.system = s, .inputs = map_new()};
    for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(p->values, s->variables[v].init ? s->variables[v].init : system_expr(s, v));
}

static void path_free(Path *p) {
    vec_free(p->values);
    map_free(p->inputs);
}

/* Takes the transition; returns its guard. */
static const Expr *path_step(Path *p, const Transition *tr) {
    for (size_t i = 0; i < vec_len(tr->inputs); i++)
        map_set(p->inputs, tr->inputs[i], symbol_new(p->system->exprs, SYM_VARIABLE, tr->inputs[i]->name, tr->inputs[i]->sort));
    const Expr *guard = now_value(p, tr->guard), **after = NULL;
    for (size_t u = 0; u < vec_len(tr->updates); u++) vec_push(after, now_value(p, tr->updates[u].value));
    for (size_t u = 0; u < vec_len(tr->updates); u++) p->values[tr->updates[u].variable] = after[u];
    vec_free(after);
    return guard;
}

/* ---- running the original ---- */

typedef struct Runner {
    const Program *now;
    const System *system;
    Solver *solver;
    const Expr *const *values; /* by variable: after the present step */
    unsigned template_; /* of the present step, in the transformed program */
    u128 *choices;      /* a vec: made in this step */
    u128 *pending;      /* a vec: the rest of an array's choices, last first */
} Runner;

static const Variable *transformed(const Runner *r, const Variable *v) {
    Variable **list = v->global ? r->now->globals : r->now->templates[r->template_]->locals;
    return v->index < vec_len(list) ? list[v->index] : NULL;
}

/* In the model, now; NULL: it is not known there, so any will do. */
static const Expr *value_of(const Runner *r, const Variable *v) {
    const Variable *image_ = v ? transformed(r, v) : NULL;
    for (unsigned i = 0; image_ && i < vec_len(r->system->variables); i++)
        if (r->system->variables[i].origin == image_) return solver_value(r->solver, r->values[i]);
    return NULL;
}

/* The choices that make a value of the sort, in their order: see CHOICE_VALUE. */
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

/* All choices of an array are looked up at its first. */
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
    const Variable *v = c->variable && c->variable->global ? c->variable : c->instr ? c->instr->target : NULL;
    bool of_array = v && v->sort->kind == SORT_ARRAY && c->kind != CHOICE_ONE_OF;
    const Expr *e = !of_array && c->kind == CHOICE_VALUE ? value_of(r, v) : NULL;
    u128 value = of_array ? next_of_array(r, v) : e && expr_is_const(e) ? e->value : 0;
    if (c->sort && c->sort->kind == SORT_BV && c->sort->width < 128) value &= ((u128)1 << c->sort->width) - 1;
    if (c->sort && c->sort->kind == SORT_BOOL) value = value != 0;
    vec_push(r->choices, value);
    return value;
}

static void note_values(const Path *p, const Expr ****after) {
    const Expr **copy = NULL;
    for (size_t v = 0; v < vec_len(p->values); v++) vec_push(copy, p->values[v]);
    vec_push(*after, copy);
}

/* The values of all variables at the start and after each step, and the path's formula in the solver. */
static const Expr ***walk(const System *s, Solver *solver, const ScheduleStep *steps, size_t n) {
    const Expr ***after = NULL;
    Path p;
    path_start(&p, s);
    note_values(&p, &after);
    for (size_t i = 0; i < n; i++) {
        solver_assert(solver, path_step(&p, &s->threads[steps[i].thread].transitions[steps[i].transition]));
        note_values(&p, &after);
    }
    path_free(&p);
    return after;
}

static Trace *run(const Program *original, const Translation *translation, Runner *r, const Expr ***after, const ScheduleStep *steps, size_t n) {
    const System *s = r->system;
    Machine *m = machine_new(original);
    Chooser chooser = {choose, r};
    Trace *trace = trace_new();
    r->values = after[0];
    State *state = state_initial(m, &chooser);
    unsigned *number = NULL, created = 1; /* numbers are given in the order of creation */
    vec_resize(number, vec_len(s->threads));
    number[0] = 1;
    trace->initial = r->choices;
    for (size_t i = 0; i < n && trace; i++) {
        const SystemThread *t = &s->threads[steps[i].thread];
        const Transition *tr = &t->transitions[steps[i].transition];
        r->values = after[i + 1];
        r->template_ = t->template_;
        for (size_t a = 0; a < vec_len(tr->actions) && trace; a++) {
            unsigned action = translation->actions[t->template_][tr->actions[a]];
            r->choices = NULL;
            StepResult done = machine_step(m, state, number[steps[i].thread], action, &chooser, NULL);
            trace_add(trace, number[steps[i].thread], action, r->choices);
            if (done.status != STEP_DONE) {
                trace_free(trace);
                trace = NULL;
            }
        }
        if (tr->creates != NONE) number[tr->creates] = ++created;
    }
    vec_free(number);
    vec_free(r->pending);
    state_free(m, state);
    machine_free(m);
    return trace;
}

Trace *schedule_trace(const Program *original, const Program *now, const Translation *translation, const System *s, Smt *smt,
                      const ScheduleStep *steps, size_t n) {
    Solver *solver = solver_new(smt, SMT_PATH, SOLVER_MS);
    const Expr ***after = walk(s, solver, steps, n);
    Runner r = {.now = now, .system = s, .solver = solver};
    Trace *trace = solver_check(solver) == SMT_SAT ? run(original, translation, &r, after, steps, n) : NULL;
    for (size_t i = 0; i < vec_len(after); i++) vec_free(after[i]);
    vec_free(after);
    solver_free(solver);
    return trace;
}
