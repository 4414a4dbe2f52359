/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the number of rounds of each loop that creates threads. The engine impact searches the result for errors when the number of
   threads has no known bound.

   requires  a well-formed program
   ensures   every behaviour is one of the program before; no CREATE is on a cycle
   breaks    behaviours with more rounds are missing, so a result without errors proves nothing; locations and actions are numbered anew
             (the translation has the old numbers)

   The pass copies each location of such a loop once for each round. A back edge leads to the copy of the next round. The back edges of the
   last round are left out. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"

typedef struct Rounds {
    Program *program;
    const Template *template_;
    unsigned rounds;
    bool *creates;  /* by location: it is on a loop with a CREATE */
    bool *back;     /* by action: it is a back edge of a depth-first search */
    unsigned *copy; /* by location and round: the number of the copy + 1; 0: there is no copy yet */
    unsigned *work; /* a vec: locations and rounds whose actions are still to be copied */
} Rounds;

static bool has_create(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_CREATE) return true;
    return false;
}

static bool find_loops(Rounds *r) {
    const Template *t = r->template_;
    unsigned *component = graph_components(t);
    bool *chosen = NULL, some = false;
    vec_resize(chosen, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(t->actions); i++)
        if (graph_repeats(component, &t->actions[i]) && has_create(&t->actions[i])) chosen[component[t->actions[i].source]] = some = true;
    for (size_t l = 0; l < vec_len(t->locations); l++) vec_push(r->creates, chosen[component[l]]);
    vec_free(component);
    vec_free(chosen);
    return some;
}

enum { NEW, OPEN, DONE };

/* Marks the actions that lead to a location on the present path of the depth-first search. Every cycle has such an action. */
static void find_back(Rounds *r, unsigned location, unsigned *state) {
    const Template *t = r->template_;
    state[location] = OPEN;
    vec_each_of(const Action, a, t->actions, t->locations[location].out) {
        r->back[a->index] = state[a->target] == OPEN;
        if (state[a->target] == NEW) find_back(r, a->target, state);
    }
    state[location] = DONE;
}

static unsigned copy_for(Rounds *r, Template *out, unsigned location, unsigned round) {
    unsigned *copy = &r->copy[location * r->rounds + round];
    if (*copy) return *copy - 1;
    Location l = r->template_->locations[location];
    l.index = (unsigned)vec_len(out->locations);
    l.out = NULL;
    vec_push(out->locations, l);
    vec_push(r->work, location * r->rounds + round);
    *copy = (unsigned)vec_len(out->locations);
    return l.index;
}

static void copy_action(Rounds *r, Template *out, const Action *a, unsigned round, unsigned **origin) {
    bool inside = r->creates[a->source] && r->creates[a->target];
    unsigned next = !inside ? 0 : r->back[a->index] ? round + 1 : round;
    if (next == r->rounds) return;
    unsigned source = copy_for(r, out, a->source, round), target = copy_for(r, out, a->target, next);
    Action *b = template_action(r->program, out, source, target, a->guard, a->position);
    b->approximation = a->approximation;
    b->section = a->section;
    for (size_t i = 0; i < vec_len(a->instrs); i++) vec_push(b->instrs, a->instrs[i]);
    vec_push(*origin, a->index);
}

static void copy_all(Rounds *r, Template *out, unsigned **origin) {
    const Template *t = r->template_;
    vec_resize(r->copy, vec_len(t->locations) * r->rounds);
    out->entry = copy_for(r, out, t->entry, 0);
    while (vec_len(r->work)) {
        unsigned at = vec_pop(r->work), location = at / r->rounds;
        for (size_t i = 0; i < vec_len(t->locations[location].out); i++)
            copy_action(r, out, &t->actions[t->locations[location].out[i]], at % r->rounds, origin);
    }
    template_mark_loops(out);
}

static void release_code(Template *t) {
    for (size_t i = 0; i < vec_len(t->locations); i++) vec_free(t->locations[i].out);
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_free(t->actions[i].instrs);
    vec_free(t->locations);
    vec_free(t->actions);
}

static void limit_template(Program *p, Template *t, unsigned rounds, unsigned **actions) {
    Rounds r = {.program = p, .template_ = t, .rounds = rounds};
    if (find_loops(&r)) {
        Template out = *t;
        unsigned *state = NULL, *origin = NULL;
        out.locations = NULL;
        out.actions = NULL;
        vec_resize(state, vec_len(t->locations));
        vec_resize(r.back, vec_len(t->actions));
        find_back(&r, t->entry, state);
        copy_all(&r, &out, &origin);
        for (size_t i = 0; i < vec_len(origin); i++) origin[i] = (*actions)[origin[i]];
        vec_free(*actions);
        *actions = origin;
        release_code(t);
        *t = out;
        vec_free(state);
    }
    vec_free(r.creates);
    vec_free(r.back);
    vec_free(r.copy);
    vec_free(r.work);
}

void bound_thread_creation(Program *p, Translation *translation, unsigned rounds) {
    ensure(translation_valid(translation, p));
    for (size_t i = 0; i < vec_len(p->templates); i++) limit_template(p, p->templates[i], rounds, &translation->actions[i]);
}
