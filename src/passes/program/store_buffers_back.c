/* SPDX-License-Identifier: Apache-2.0 */
/* Translates traces of a program with store buffers in locals into traces under TSO or PSO. Each arrival becomes a step TRACE_FLUSH. All other
   steps keep their choices. */
#include "base/messages.h"
#include "passes/program/store_buffers.h"
#include <stdlib.h>

/* Adds an assignment to an unused variable after the store, which reads the stored value again. A value that was never written is chosen when
   it is read. A delayed store reads its value, but a store that arrives immediately only copies it. */
static void read_again(Program *p, Template *t, Action *a, unsigned store) {
    const Instr *i = &a->instrs[store];
    const Variable *v = i->value ? expr_variable(i->value) : NULL;
    if (!v || v->global) return;
    Variable *unused = template_local(p, t, "unused", v->sort);
    Instr x = {.kind = INSTR_ASSIGN, .target = unused, .value = i->value, .position = i->position};
    unused->temporary = true;
    vec_push(a->instrs, x);
    for (size_t k = vec_len(a->instrs) - 1; k > store + 1; k--) {
        a->instrs[k] = a->instrs[k - 1];
        a->instrs[k - 1] = x;
    }
}

/* True if the template may have an undefined value: a load or havoc may yield one. */
static bool has_undefined(const Template *t) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        vec_each_at(const Instr, x, t->actions[a].instrs)
            if (x->kind == INSTR_LOAD || (x->kind == INSTR_HAVOC && x->undefined)) return true;
    return false;
}

void stores_read_values(Program *p, const StoreDelays *d) {
    for (size_t i = 0; i < vec_len(p->templates); i++) {
        Template *t = p->templates[i];
        if (!has_undefined(t)) continue;
        for (size_t a = 0; a < vec_len(t->actions); a++)
            if (d->of[i][a].weak.kind == WEAK_STORE) read_again(p, t, &t->actions[a], d->of[i][a].weak.instr);
    }
}

typedef BufferedAction (*Meaning)(const void *context, unsigned template_, unsigned action);

/* Replaces the steps of t, a trace of p, by the steps that they mean. A store that arrives immediately is followed by its flush. There is no
   flush after the steps that end the trace by a race, fault or error: only their effect counts. */
static void translate_steps(const Program *p, Trace *t, Meaning meaning, const void *context) {
    TraceStep *steps = NULL;
    unsigned *templates = NULL; /* by thread number */
    size_t loop = t->loop;
    vec_push(templates, 0);
    vec_push(templates, 0);
    for (size_t i = 0; i < vec_len(t->steps); i++) {
        TraceStep s = t->steps[i];
        unsigned template_ = templates[s.thread];
        const Action *a = &p->templates[template_]->actions[s.action];
        BufferedAction x = meaning(context, template_, s.action);
        for (size_t k = 0; k < vec_len(a->instrs); k++)
            if (a->instrs[k].kind == INSTR_CREATE) vec_push(templates, a->instrs[k].template_);
        s.action = x.action;
        if (x.kind != BUFFERED_ARRIVES) vec_push(steps, s);
        else vec_free(s.choices);
        size_t last = t->end == TRACE_RACE ? 2 : t->end == TRACE_FAULT || t->end == TRACE_ERROR;
        u128 *which = NULL;
        bool arrives = x.kind != BUFFERED_SAME && i + last < vec_len(t->steps);
        if (arrives) vec_push(which, x.store);
        if (arrives) vec_push(steps, ((TraceStep){.thread = s.thread, .action = TRACE_FLUSH, .choices = which}));
        if (loop == i + 1) t->loop = vec_len(steps);
    }
    vec_free(templates);
    vec_free(t->steps);
    t->steps = steps;
}

/* The state of a way back. */
typedef struct Before {
    Program *program;
    const StoreDelays *delays;
    StoreDelays *own; /* delays to free with the way back, or NULL */
    BufferedProgram buffered;
} Before;

static void before_free(void *state) {
    Before *b = state;
    buffered_free(&b->buffered);
    if (b->own) delays_free(b->own);
    program_free(b->program);
    free(b);
}

static WayBack way_back(void (*trace)(const void *, Trace *), Before before) {
    Before *b = malloc(sizeof *b);
    if (!b) out_of_resources(MSG_BASE_NO_MEMORY);
    *b = before;
    return (WayBack){trace, before_free, b};
}

static BufferedAction buffered_meaning(const void *context, unsigned template_, unsigned action) {
    return ((const BufferedProgram *)context)->actions[template_][action];
}

static void trace_of_buffers(const void *state, Trace *t) {
    const Before *b = state;
    translate_steps(b->buffered.program, t, buffered_meaning, &b->buffered);
}

WayBack buffers_way_back(BufferedProgram buffered, Program *before, StoreDelays *own) {
    return way_back(trace_of_buffers, (Before){.program = before, .own = own, .buffered = buffered});
}

static BufferedAction immediate_meaning(const void *context, unsigned template_, unsigned action) {
    bool stores = ((const StoreDelays *)context)->of[template_][action].weak.kind == WEAK_STORE;
    return (BufferedAction){stores ? BUFFERED_IMMEDIATE : BUFFERED_SAME, action, 0};
}

/* A trace that ends with TRACE_UNORDERED is replayed unchanged. */
static void trace_at_once(const void *state, Trace *t) {
    const Before *b = state;
    if (t->end != TRACE_UNORDERED) translate_steps(b->program, t, immediate_meaning, b->delays);
}

WayBack stores_way_back(Program *before, const StoreDelays *delays, StoreDelays *own) {
    return way_back(trace_at_once, (Before){.program = before, .delays = delays, .own = own});
}

void buffered_free(BufferedProgram *b) { vec_free_rows(b->actions); }
