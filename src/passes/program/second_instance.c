/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a second instance of each template that is marked many: a copy of the template for a further thread.

   requires  instantiate_threads: each template is a single thread, or marked many (count 0)
   ensures   each template marked many is followed by its second instance, which is also marked many. Each action that creates a thread of
             the template creates one of the second instance, too. The behaviours stay, since any number of such threads was possible before.
   breaks    templates are numbered anew (the translation has the old numbers)

   Analyses need no case for a thread that interferes with another thread of its own template: these are threads of two templates now. */
#include "passes/program/program_passes.h"
#include "ir/copy.h"

static void renumber(Template *t, const unsigned *number) {
    t->index = number[t->index];
    for (size_t i = 0; i < vec_len(t->locals); i++) t->locals[i]->template_ = t->index;
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++)
            if (t->actions[a].instrs[i].kind == INSTR_CREATE) t->actions[a].instrs[i].template_ = number[t->actions[a].instrs[i].template_];
}

/* Puts the templates into the given order, which lists their present indices. */
static void reorder(Program *p, Translation *tr, const unsigned *order) {
    size_t n = vec_len(order);
    Template **templates = NULL;
    unsigned *number = NULL, *from = NULL, **actions = NULL;
    vec_resize(number, n);
    for (unsigned i = 0; i < n; i++) {
        number[order[i]] = i;
        vec_push(templates, p->templates[order[i]]);
        vec_push(from, tr->templates[order[i]]);
        vec_push(actions, tr->actions[order[i]]);
    }
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (object_is_in_template(p->objects[i])) p->objects[i]->template_ = number[p->objects[i]->template_];
    for (size_t i = 0; i < n; i++) renumber(templates[i], number);
    vec_free(p->templates);
    vec_free(tr->templates);
    vec_free(tr->actions);
    vec_free(number);
    p->templates = templates;
    tr->templates = from;
    tr->actions = actions;
}

/* Adds a CREATE of the second instance after each CREATE of the template. */
static void create_second(Program *p, unsigned template_, unsigned second) {
    program_each_action(Action, action, p)
        for (size_t i = 0, n = vec_len(action->instrs); i < n; i++) {
            Instr also = action->instrs[i];
            if (also.kind != INSTR_CREATE || also.template_ != template_) continue;
            also.template_ = second;
            also.target = NULL;
            vec_push(action->instrs, also);
        }
}

void second_instance(Program *p, Translation *tr) {
    ensure(translation_valid(tr, p));
    unsigned *order = NULL;
    for (unsigned t = 0, n = (unsigned)vec_len(p->templates); t < n; t++) {
        vec_push(order, t);
        if (p->templates[t]->count) continue;
        Template *second = template_clone(p, p->templates[t], 0);
        unsigned *actions = NULL;
        for (size_t i = 0; i < vec_len(tr->actions[t]); i++) vec_push(actions, tr->actions[t][i]);
        vec_push(tr->templates, tr->templates[t]);
        vec_push(tr->actions, actions);
        vec_push(order, second->index);
        create_second(p, t, second->index);
    }
    reorder(p, tr, order);
    vec_free(order);
}
