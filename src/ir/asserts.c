/* SPDX-License-Identifier: Apache-2.0 */
/* From an ERROR back to where it is decided: over locations with one way out, to those with several, or to the thread's start. */
#include "ir/asserts.h"
#include "base/die.h"
#include "base/vec.h"
#include <stdlib.h>

static bool same_place(Position a, Position b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

static unsigned assertion_at(Asserts *a, Position p) {
    for (unsigned i = 0; i < vec_len(a->places); i++)
        if (same_place(a->places[i], p)) return i;
    vec_push(a->places, p);
    return (unsigned)vec_len(a->places) - 1;
}

typedef struct Back {
    const Template *template_;
    unsigned **into; /* vecs, by location: the sources of actions that lead there */
    unsigned *seen;  /* by location: the round that met it */
    unsigned round, *work;
} Back;

static void visit(Back *b, unsigned location) {
    if (b->seen[location] == b->round) return;
    b->seen[location] = b->round;
    vec_push(b->work, location);
}

static void walk_back(Asserts *a, Back *b, unsigned error, unsigned assertion) {
    const Template *t = b->template_;
    b->round++;
    vec_push(b->work, error);
    while (vec_len(b->work)) {
        unsigned l = vec_pop(b->work);
        if (l != error && (vec_len(t->locations[l].out) > 1 || l == t->entry)) {
            vec_push(a->judges, ((Judge){t->index, l, assertion}));
            a->at[t->index][l] = true;
            continue;
        }
        for (size_t i = 0; i < vec_len(b->into[l]); i++) visit(b, b->into[l][i]);
    }
}

static void find_in(Asserts *a, const Template *t) {
    Back b = {.template_ = t};
    vec_resize(b.into, vec_len(t->locations));
    vec_resize(b.seen, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_push(b.into[t->actions[i].target], t->actions[i].source);
    for (unsigned l = 0; l < vec_len(t->locations); l++)
        if (t->locations[l].kind == LOCATION_ERROR) walk_back(a, &b, l, assertion_at(a, t->locations[l].position));
    for (size_t l = 0; l < vec_len(b.into); l++) vec_free(b.into[l]);
    vec_free(b.into);
    vec_free(b.seen);
    vec_free(b.work);
}

Asserts *asserts_new(const Program *p) {
    Asserts *a = calloc(1, sizeof *a);
    if (!a) lack("out of memory");
    vec_resize(a->at, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        vec_resize(a->at[t], vec_len(p->templates[t]->locations));
        find_in(a, p->templates[t]);
    }
    return a;
}

void asserts_free(Asserts *a) {
    for (size_t t = 0; t < vec_len(a->at); t++) vec_free(a->at[t]);
    vec_free(a->at);
    vec_free(a->places);
    vec_free(a->judges);
    free(a);
}

bool program_has(const Program *p, LocationKind kind) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t l = 0; l < vec_len(p->templates[t]->locations); l++)
            if (p->templates[t]->locations[l].kind == kind) return true;
    return false;
}
