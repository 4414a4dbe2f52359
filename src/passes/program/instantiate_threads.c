/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a template for each thread.

   requires  a well-formed program in which loops that create a known number of threads are unrolled (specialise)
   ensures   the same behaviours. A template is either marked many (count 0), or has count 1 and is created by one CREATE that runs at most
             once. Templates that no CREATE names are gone
   breaks    templates are numbered anew (the translation has the old numbers)

   A CREATE runs at most once if its template has count 1 and the CREATE is on no cycle. Each CREATE of this kind gets its own copy of the
   template that it names. All other CREATEs of a template share one copy, which is marked many. Beyond MAX_INSTANCES copies, a CREATE of the
   first kind shares this copy as well. The pass copies the original templates, breadth first from main. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "ir/copy.h"

enum { MAX_INSTANCES = 64 };

typedef struct Expansion {
    Program *program;
    Translation *translation;
    size_t originals; /* templates below this are the input's */
    unsigned *many;   /* by original: its copy marked many, or 0 */
} Expansion;

/* ---- copies ---- */

static unsigned copy_of(Expansion *x, unsigned original, unsigned count) {
    Template *t = template_clone(x->program, x->program->templates[original], count);
    const unsigned *from = x->translation->actions[original];
    unsigned *actions = NULL;
    for (size_t i = 0; i < vec_len(from); i++) vec_push(actions, from[i]);
    vec_push(x->translation->templates, x->translation->templates[original]);
    vec_push(x->translation->actions, actions);
    return t->index;
}

static unsigned instance_for(Expansion *x, unsigned original, bool once) {
    if (once && vec_len(x->program->templates) - x->originals < MAX_INSTANCES) return copy_of(x, original, 1);
    if (!x->many[original]) x->many[original] = copy_of(x, original, 0);
    return x->many[original];
}

static void expand(Expansion *x, unsigned index) {
    unsigned *component = graph_components(x->program->templates[index]);
    for (size_t a = 0; a < vec_len(x->program->templates[index]->actions); a++) {
        Template *t = x->program->templates[index];
        Action *action = &t->actions[a];
        for (size_t i = 0; i < vec_len(action->instrs); i++)
            if (action->instrs[i].kind == INSTR_CREATE) {
                bool once = t->count == 1 && !graph_repeats(component, action);
                action->instrs[i].template_ = instance_for(x, action->instrs[i].template_, once);
            }
    }
    vec_free(component);
}

/* ---- dropping all originals except main ---- */

static bool kept(const Expansion *x, unsigned template_) { return template_ == 0 || template_ >= x->originals; }

static unsigned renumbered(const Expansion *x, unsigned template_) { return template_ == 0 ? 0 : template_ - (unsigned)x->originals + 1; }

static void drop_objects(Expansion *x) {
    Program *p = x->program;
    Object **objects = NULL;
    vec_each(Object *, o, p->objects) {
        if (object_is_in_template(o) && !kept(x, o->template_)) continue;
        if (object_is_in_template(o)) o->template_ = renumbered(x, o->template_);
        o->index = (unsigned)vec_len(objects);
        vec_push(objects, o);
    }
    vec_free(p->objects);
    p->objects = objects;
}

static void renumber(const Expansion *x, Template *t) {
    t->index = renumbered(x, t->index);
    for (size_t i = 0; i < vec_len(t->locals); i++) t->locals[i]->template_ = t->index;
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++)
            if (t->actions[a].instrs[i].kind == INSTR_CREATE)
                t->actions[a].instrs[i].template_ = renumbered(x, t->actions[a].instrs[i].template_);
}

static void drop_originals(Expansion *x) {
    Program *p = x->program;
    Translation *tr = x->translation;
    Template **templates = NULL;
    unsigned *from = NULL, **actions = NULL;
    for (unsigned i = 0; i < vec_len(p->templates); i++) {
        if (!kept(x, i)) {
            template_release(p->templates[i]);
            vec_free(tr->actions[i]);
            continue;
        }
        renumber(x, p->templates[i]);
        vec_push(templates, p->templates[i]);
        vec_push(from, tr->templates[i]);
        vec_push(actions, tr->actions[i]);
    }
    drop_objects(x);
    vec_free(p->templates);
    vec_free(tr->templates);
    vec_free(tr->actions);
    p->templates = templates;
    tr->templates = from;
    tr->actions = actions;
}

void instantiate_threads(Program *p, Translation *t) {
    ensure(translation_valid(t, p));
    Expansion x = {.program = p, .translation = t, .originals = vec_len(p->templates)};
    vec_resize(x.many, x.originals);
    expand(&x, 0);
    for (unsigned i = (unsigned)x.originals; i < vec_len(p->templates); i++) expand(&x, i);
    drop_originals(&x);
    vec_free(x.many);
}
