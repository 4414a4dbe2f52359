/* SPDX-License-Identifier: Apache-2.0 */
/* Walks back from each ERROR location to the locations that decide it: over locations with one way out, to those with several, or to the
   thread's start. A condition of several parts, (a && b), is decided from its first part on. A branch is an earlier part on two
   conditions: from it to the next part the program only reads, and both parts lead to a common location. */
#include "ir/asserts.h"
#include <stdlib.h>

static bool same_place(Position a, Position b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

static unsigned assertion_at(Asserts *a, Position p) {
    for (unsigned i = 0; i < vec_len(a->places); i++)
        if (same_place(a->places[i], p)) return i;
    vec_push(a->places, p);
    vec_push(a->bypassed, false);
    return (unsigned)vec_len(a->places) - 1;
}

typedef struct Back {
    const Template *template_;
    unsigned **into; /* vecs, by location: the actions that lead to it */
    unsigned *seen;  /* by location: the last round that reached it */
    unsigned round, *work;
} Back;

static void visit_location(Back *b, unsigned location) {
    if (b->seen[location] == b->round) return;
    b->seen[location] = b->round;
    vec_push(b->work, location);
}

static bool only_reads(const Action *a) {
    vec_each_at(const Instr, x, a->instrs) {
        if (x->kind != INSTR_LOAD && x->kind != INSTR_ASSIGN && x->kind != INSTR_HAVOC) return false;
        if (x->target && (x->target->global || !x->target->temporary)) return false;
    }
    return true;
}

static bool have_common_target(const Template *t, unsigned a, unsigned b) {
    for (size_t i = 0; i < vec_len(t->locations[a].out); i++)
        for (size_t k = 0; k < vec_len(t->locations[b].out); k++)
            if (t->actions[t->locations[a].out[i]].target == t->actions[t->locations[b].out[k]].target) return true;
    return false;
}

enum { NOTHING = ~0u };

/* Returns the branch that is the previous part of the same condition; else NOTHING. */
static unsigned part_before(const Back *b, unsigned branch) {
    const Template *t = b->template_;
    size_t most = vec_len(t->locations);
    for (unsigned l = branch; most--;) {
        const Action *a = vec_len(b->into[l]) == 1 ? &t->actions[b->into[l][0]] : NULL;
        if (!a || !only_reads(a)) return NOTHING;
        l = a->source;
        if (vec_len(t->locations[l].out) > 1) return have_common_target(t, l, branch) ? l : NOTHING;
    }
    return NOTHING;
}

static void add_judges(Asserts *a, const Back *b, unsigned branch, unsigned assertion) {
    size_t most = vec_len(b->template_->locations);
    for (unsigned l = branch; l != NOTHING && most--; l = part_before(b, l)) {
        vec_push(a->branches, ((DecidingBranch){b->template_->index, l, assertion}));
        a->is_branch[b->template_->index][l] = true;
        a->bypassed[assertion] |= b->template_->locations[l].bypassed;
    }
}

static void walk_back(Asserts *a, Back *b, unsigned error, unsigned assertion) {
    const Template *t = b->template_;
    b->round++;
    vec_push(b->work, error);
    while (vec_len(b->work)) {
        unsigned l = vec_pop(b->work);
        if (l != error && (vec_len(t->locations[l].out) > 1 || l == t->entry)) {
            add_judges(a, b, l, assertion);
            continue;
        }
        for (size_t i = 0; i < vec_len(b->into[l]); i++) visit_location(b, t->actions[b->into[l][i]].source);
    }
}

static void add_template(Asserts *a, const Template *t) {
    Back b = {.template_ = t};
    vec_resize(b.into, vec_len(t->locations));
    vec_resize(b.seen, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_push(b.into[t->actions[i].target], (unsigned)i);
    for (unsigned l = 0; l < vec_len(t->locations); l++)
        if (t->locations[l].kind == LOCATION_ERROR) walk_back(a, &b, l, assertion_at(a, t->locations[l].position));
    vec_free_rows(b.into);
    vec_free(b.seen);
    vec_free(b.work);
}

Asserts *asserts_new(const Program *p) {
    Asserts *a = zeroed(1, sizeof *a);
    vec_resize(a->is_branch, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        vec_resize(a->is_branch[t], vec_len(p->templates[t]->locations));
        add_template(a, p->templates[t]);
    }
    return a;
}

void asserts_free(Asserts *a) {
    vec_free_rows(a->is_branch);
    vec_free(a->places);
    vec_free(a->bypassed);
    vec_free(a->branches);
    free(a);
}

bool program_has(const Program *p, LocationKind kind) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t l = 0; l < vec_len(p->templates[t]->locations); l++)
            if (p->templates[t]->locations[l].kind == kind) return true;
    return false;
}

bool program_allocates(const Program *p) {
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (p->objects[i]->kind == OBJECT_HEAP && !p->objects[i]->stack) return true;
    return false;
}

bool program_main_creates(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        vec_each_at(const Action, x, p->templates[t]->actions)
            for (size_t i = 0; i < vec_len(x->instrs); i++)
                if (x->instrs[i].kind == INSTR_CREATE && (t || !x->instrs[i].template_)) return false;
    return true;
}

static void part_from_end(Program *p, Template *t, unsigned action) {
    unsigned halt = t->actions[action].target;
    Position at = t->actions[action].position;
    unsigned between = template_location(p, t, LOCATION_PLAIN, at);
    t->locations[between].function = t->locations[t->actions[action].source].function;
    template_action(p, t, between, halt, NULL, at);
    t->actions[action].target = between;
}

void program_end_at_assertions(Program *p) {
    vec_each(Template *, t, p->templates) {
        for (size_t l = 0; l < vec_len(t->locations); l++)
            if (t->locations[l].kind == LOCATION_ERROR) t->locations[l].kind = LOCATION_HALT;
        for (size_t a = 0, n = vec_len(t->actions); a < n; a++)
            if (t->locations[t->actions[a].target].kind == LOCATION_HALT) part_from_end(p, t, (unsigned)a);
    }
}
