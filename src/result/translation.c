/* SPDX-License-Identifier: Apache-2.0 */
#include "result/translation.h"
#include "base/die.h"
#include "base/vec.h"
#include <stdlib.h>

Translation *translation_new(const Program *p) {
    Translation *t = calloc(1, sizeof *t);
    if (!t) lack("out of memory");
    for (unsigned i = 0; i < vec_len(p->templates); i++) {
        unsigned *actions = NULL;
        for (unsigned a = 0; a < vec_len(p->templates[i]->actions); a++) vec_push(actions, a);
        vec_push(t->templates, i);
        vec_push(t->actions, actions);
    }
    return t;
}

void translation_free(Translation *t) {
    if (!t) return;
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_free(t->actions[i]);
    vec_free(t->actions);
    vec_free(t->templates);
    free(t);
}

/* The templates of the threads that an action creates, in order. */
static void note_created(const Action *a, unsigned **template_of) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_CREATE) vec_push(*template_of, a->instrs[i].template_);
}

Trace *translation_trace(const Translation *t, const Program *now, const Trace *trace) {
    Trace *out = trace_new();
    unsigned *template_of = NULL; /* by thread number - 1 */
    vec_push(template_of, 0);
    for (size_t i = 0; i < vec_len(trace->initial); i++) vec_push(out->initial, trace->initial[i]);
    for (size_t i = 0; i < vec_len(trace->steps); i++) {
        const TraceStep *s = &trace->steps[i];
        ensure(s->thread >= 1 && s->thread <= vec_len(template_of));
        unsigned template_ = template_of[s->thread - 1];
        u128 *choices = NULL;
        for (size_t c = 0; c < vec_len(s->choices); c++) vec_push(choices, s->choices[c]);
        trace_add(out, s->thread, t->actions[template_][s->action], choices);
        note_created(&now->templates[template_]->actions[s->action], &template_of);
    }
    vec_free(template_of);
    return out;
}
