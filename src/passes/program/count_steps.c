/* SPDX-License-Identifier: Apache-2.0 */
/* Adds counters of steps that each thread takes at most once. Such a step is taken at most as often as threads were created. Without counters, an
   invariant that describes one thread at a time cannot express this ("x is at most the number of threads").

   requires  a well-formed program
   ensures   the same executions, with more variables; templates, locations, actions and choices are the same; loops
             that create many threads are not unrolled (PassSettings.count)
   breaks    nothing

   For a template of many threads, `created` counts its threads. Each action of the template has a counter `taken` if it is on no cycle and adds to
   shared memory. The action assumes that `taken` is less than `created`, which always holds. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "base/buf.h"

enum { MOST_COUNTERS = 4, WIDTH = 64, MANY_THREADS = 16 };

static bool adds(const Expr *e) {
    if (e->op == OP_ADD || e->op == OP_SUB) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (adds(e->args[i])) return true;
    return false;
}

static bool is_worth_counting(const Action *a) {
    vec_each_at(const Instr, in, a->instrs) {
        if (in->kind == INSTR_STORE && adds(in->value)) return true;
        if (in->kind == INSTR_ASSIGN && in->target->global && adds(in->value)) return true;
    }
    return false;
}

/* Adds a counter. what: the prefix of its name in the IR. display: the noun that reports use for the counted events. */
static Variable *counter(Program *p, const char *what, const char *display, const Template *t, Position at) {
    Buf name = {0};
    buf_printf(&name, "%s.%s", what, t->name);
    Variable *v = program_global(p, buf_string(&name), sort_bv(p->exprs, WIDTH), expr_bv(p->exprs, WIDTH, 0));
    v->name = arena_printf(p->arena, "(%s of %s)", display, t->name);
    v->position = at;
    buf_free(&name);
    return v;
}

/* Returns v := v + 1. An overflow of the counter is a fault, so no verdict depends on what follows. */
static Instr increment(Program *p, Variable *v, Position at) {
    const Expr *args[] = {variable_expr(p, v), expr_bv(p->exprs, WIDTH, 1)};
    return (Instr){.kind = INSTR_ASSIGN, .target = v, .value = expr_make(p->exprs, OP_ADD, FLAG_NUW, 2, args), .position = at};
}

static void count_action(Program *p, const Template *t, Action *a, const Variable *created) {
    Variable *taken = counter(p, "taken", "steps", t, a->position);
    Instr *out = NULL;
    const Expr *less = expr_2(p->exprs, OP_ULT, variable_expr(p, taken), variable_expr(p, created));
    vec_push(out, ((Instr){.kind = INSTR_ASSUME, .value = less, .position = a->position}));
    vec_push(out, increment(p, taken, a->position));
    for (size_t i = 0; i < vec_len(a->instrs); i++) vec_push(out, a->instrs[i]);
    vec_free(a->instrs);
    a->instrs = out;
}

/* Increments `created` at each CREATE of the template. */
static void count_creations(Program *p, unsigned template_, Variable *created) {
    program_each_action(Action, action, p)
        for (size_t i = 0, n = vec_len(action->instrs); i < n; i++)
            if (action->instrs[i].kind == INSTR_CREATE && action->instrs[i].template_ == template_)
                vec_push(action->instrs, increment(p, created, action->position));
}

static unsigned count_template(Program *p, Template *t, unsigned most) {
    unsigned *component = graph_components(t), n = 0;
    Variable *created = NULL;
    for (size_t a = 0; a < vec_len(t->actions) && n < most; a++) {
        if (graph_repeats(component, &t->actions[a]) || !is_worth_counting(&t->actions[a])) continue;
        if (!created) created = counter(p, "created", "threads", t, (Position){0});
        count_action(p, t, &t->actions[a], created);
        n++;
    }
    if (created) count_creations(p, t->index, created);
    vec_free(component);
    return n;
}

static bool is_many(const Template *t) { return t->index && (t->count == 0 || t->count > MANY_THREADS); }

bool count_steps_applies(const Program *p) {
    bool found = false;
    for (size_t i = 0; i < vec_len(p->templates) && !found; i++) {
        const Template *t = p->templates[i];
        if (!is_many(t)) continue;
        unsigned *component = graph_components(t);
        for (size_t a = 0; a < vec_len(t->actions); a++)
            found |= !graph_repeats(component, &t->actions[a]) && is_worth_counting(&t->actions[a]);
        vec_free(component);
    }
    return found;
}

void count_steps(Program *p) {
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        if (is_many(p->templates[t])) n += count_template(p, p->templates[t], MOST_COUNTERS - n);
}
