/* SPDX-License-Identifier: Apache-2.0 */
#include "transform/program/asked.h"
#include "base/vec.h"

void asked_note(Asked *a, unsigned template_, unsigned action, unsigned original) {
    AskedAction x = {template_, action, original, a->end};
    vec_push(a->extra, x);
}

static const AskedAction *find_extra(const Asked *a, unsigned template_, unsigned action) {
    for (size_t i = 0; i < vec_len(a->extra); i++)
        if (a->extra[i].template_ == template_ && a->extra[i].action == action) return &a->extra[i];
    return NULL;
}

/* Steps that are none of the program's come last, as those that they stand for: of a race the two that race, else the one at fault, which is the last already. */
void asked_trace(const Asked *asked, Trace *t) {
    TraceStep *steps = NULL, *last = NULL;
    TraceEnd end = asked->end;
    unsigned *templates = NULL; /* by thread number */
    vec_push(templates, 0);
    vec_push(templates, 0);
    for (size_t i = 0; i < vec_len(t->steps); i++) {
        TraceStep s = t->steps[i];
        unsigned template_ = templates[s.thread];
        const Action *a = &asked->program->templates[template_]->actions[s.action];
        const AskedAction *x = find_extra(asked, template_, s.action);
        for (size_t k = 0; k < vec_len(a->instrs); k++)
            if (a->instrs[k].kind == INSTR_CREATE) vec_push(templates, a->instrs[k].template_);
        if (x) end = x->end;
        if (x) s.action = x->original;
        if (x) vec_push(last, s);
        else vec_push(steps, s);
    }
    for (size_t i = 0; i < vec_len(last); i++) vec_push(steps, last[i]);
    vec_free(last);
    vec_free(templates);
    vec_free(t->steps);
    t->steps = steps;
    t->end = end;
}
