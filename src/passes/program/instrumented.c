/* SPDX-License-Identifier: Apache-2.0 */
/* Adds actions to error locations, and translates their traces back. */
#include "passes/program/instrumented.h"

void instrumented_record(Instrumented *a, unsigned template_, unsigned action, unsigned original) {
    ensure(template_ < vec_len(a->program->templates));
    AddedAction x = {template_, action, original, false, a->end};
    vec_push(a->added, x);
}

static bool is_asked_at(const Instrumented *a, Position at) { return a->only->has(a->only->context, at); }

void instrumented_add(Instrumented *a, Template *t, unsigned action, unsigned before, LocationKind kind, const char *text,
                      const Instr *asks, TraceEnd end) {
    const Action like = t->actions[action];
    Position at = before < vec_len(like.instrs) ? like.instrs[before].position : like.position;
    if (!at.file) at = like.position;
    if (a->only && !is_asked_at(a, at) && (before != BEFORE_GUARD || !is_asked_at(a, t->locations[like.source].position))) return;
    if (a->only && kind == LOCATION_ERROR) text = a->only->text;
    unsigned target = template_location(a->program, t, kind, at);
    Location *l = &t->locations[target];
    l->function = t->locations[like.source].function;
    if (kind == LOCATION_ERROR) l->text = text;
    else l->approximation = program_approximation(a->program, APPROX_UNSUPPORTED, at, text);
    bool guarded = before != BEFORE_GUARD;
    Action *x = template_action(a->program, t, like.source, target, guarded ? like.guard : NULL, at);
    x->approximation = like.approximation;
    for (unsigned i = 0; guarded && i < before; i++) vec_push(x->instrs, like.instrs[i]);
    if (asks) {
        Instr last = *asks;
        last.position = at;
        vec_push(x->instrs, last);
    }
    instrumented_record(a, t->index, x->index, action);
    vec_last(a->added).end = end;
}

static const AddedAction *find_extra(const Instrumented *a, unsigned template_, unsigned action) {
    for (size_t i = 0; i < vec_len(a->added); i++)
        if (a->added[i].template_ == template_ && a->added[i].action == action) return &a->added[i];
    return NULL;
}

static bool starts_within(const Instrumented *a, unsigned template_, unsigned action) {
    const Template *t = a->program->templates[template_];
    return t->locations[t->actions[action].source].atomic;
}

/* Appends the last steps. If the second of two racing threads is in an atomic section, the first one must step before it. The two
   accesses are never next in one state, so only happens-before shows that they race. */
static TraceEnd append_last(const Instrumented *a, const unsigned *templates, TraceStep **steps, TraceStep *last, TraceEnd end) {
    size_t n = vec_len(*steps), from = n, k = vec_len(last);
    unsigned thread = k ? vec_last(last).thread : 0;
    if (end == TRACE_RACE && k == 2 && starts_within(a, templates[thread], vec_last(last).action)) {
        while (from > 0 && (*steps)[from - 1].thread == thread) {
            from--;
            if (!starts_within(a, templates[thread], (*steps)[from].action)) break;
        }
        end = TRACE_UNORDERED;
    }
    for (size_t i = 0; i < k; i++) vec_push(*steps, last[i]);
    for (size_t i = n; i > from; i--) (*steps)[i] = (*steps)[i - 1];
    if (from < n) (*steps)[from] = last[0];
    return end;
}

/* Translates a trace of the instrumented program. A step of an added action becomes a step of its original action. It moves to the end, unless the
   action is `in_place`: the two racing steps of a race come last, and a step with a fault is the last already. Steps without an original are
   dropped. */
static void trace_back(const void *state, Trace *t) {
    const Instrumented *asked = state;
    TraceStep *steps = NULL, *last = NULL;
    TraceEnd end = asked->end;
    unsigned *templates = NULL; /* by thread number */
    vec_push(templates, 0);
    vec_push(templates, 0);
    vec_each(TraceStep, s, t->steps) {
        unsigned template_ = templates[s.thread];
        const Action *a = &asked->program->templates[template_]->actions[s.action];
        const AddedAction *x = find_extra(asked, template_, s.action);
        for (size_t k = 0; k < vec_len(a->instrs); k++)
            if (a->instrs[k].kind == INSTR_CREATE) vec_push(templates, a->instrs[k].template_);
        if (x) end = x->end;
        if (x) s.action = x->original;
        if (x && x->original == NO_ACTION) vec_free(s.choices);
        else if (x && !x->in_place) vec_push(last, s);
        else vec_push(steps, s);
    }
    end = append_last(asked, templates, &steps, last, end);
    vec_free(last);
    vec_free(templates);
    vec_free(t->steps);
    t->steps = steps;
    t->end = end;
}

static void keep(void *state) { (void)state; } /* the chain owns the state */

WayBack instrumented_way_back(Instrumented *a) { return (WayBack){trace_back, keep, a}; }

void instrument_undefined(Program *program, const InstrumentedPlaces *places) {
    const Question question = {.parts = PART_DEREF};
    Instrumented out = {.program = program, .question = &question, .end = TRACE_ERROR, .only = places};
    add_fault_errors(&out);
    add_access_errors(&out);
    vec_free(out.added);
}
