/* SPDX-License-Identifier: Apache-2.0 */
/* A flow through each template computes the sites of which an object may have been freed at a location, by the thread or by other threads.
   Main is alone until it creates a thread. Otherwise, each other thread may have freed all that it frees anywhere. */
#include "analysis/reused_places.h"
#include <stdlib.h>
#include <string.h>

struct ReusedPlaces {
    const Program *program;
    PointsTo *pointsto;
    size_t words;     /* words of a set of objects */
    uint64_t **frees; /* a vec by template: the set of sites whose objects it frees */
    uint64_t *after;  /* a vec: for each object, the set of objects whose life may begin after it was freed */
    uint64_t *here;   /* the set at the present instruction */
};

static bool has(const uint64_t *set, const Object *o) { return set[o->index / 64] >> o->index % 64 & 1; }

static void put(uint64_t *set, const Object *o) { set[o->index / 64] |= UINT64_C(1) << o->index % 64; }

static bool add(uint64_t *to, const uint64_t *set, size_t words) {
    bool more = false;
    for (size_t i = 0; i < words; i++) {
        more |= (set[i] & ~to[i]) != 0;
        to[i] |= set[i];
    }
    return more;
}

static void put_freed(const ReusedPlaces *r, const Instr *i, uint64_t *set) {
    const Targets *t = pointsto(r->pointsto, i->address);
    for (size_t k = 0; k < vec_len(t->list); k++)
        if (t->list[k].object->kind == OBJECT_HEAP) put(set, t->list[k].object);
    if (!pointsto_is_wild(r->pointsto, i->address)) return;
    for (size_t k = 0; k < vec_len(r->program->objects); k++)
        if (r->program->objects[k]->kind == OBJECT_HEAP) put(set, r->program->objects[k]);
}

/* Adds what other threads may have freed while a thread of t runs. For main, this holds after its first creation. */
static void put_freed_by_others(const ReusedPlaces *r, const Template *t, uint64_t *set) {
    for (size_t u = 0; u < vec_len(r->program->templates); u++)
        if (u != t->index || t->count != 1) add(set, r->frees[u], r->words);
}

static void execute(const ReusedPlaces *r, const Template *t, const Instr *i, uint64_t *set) {
    if (i->kind == INSTR_FREE) put_freed(r, i, set);
    if (i->kind == INSTR_CREATE) put_freed_by_others(r, t, set);
}

static void note_begin(ReusedPlaces *r, const Object *later, const uint64_t *freed) {
    for (size_t k = 0; k < vec_len(r->program->objects); k++)
        if (has(freed, r->program->objects[k])) put(&r->after[k * r->words], later);
}

static bool flow(ReusedPlaces *r, const Template *t, uint64_t *sets) {
    bool changed = false;
    vec_each_at(const Action, action, t->actions) {
        memcpy(r->here, &sets[r->words * action->source], r->words * sizeof *sets);
        for (size_t i = 0; i < vec_len(action->instrs); i++) execute(r, t, &action->instrs[i], r->here);
        changed |= add(&sets[r->words * action->target], r->here, r->words);
    }
    return changed;
}

static void find_begins(ReusedPlaces *r, const Template *t) {
    uint64_t *sets = NULL;
    vec_resize(sets, r->words * vec_len(t->locations));
    if (t->index) put_freed_by_others(r, t, &sets[r->words * t->entry]);
    if (t->index)
        for (size_t k = 0; k < vec_len(r->program->objects); k++)
            if (r->program->objects[k]->kind == OBJECT_THREAD) note_begin(r, r->program->objects[k], &sets[r->words * t->entry]);
    while (flow(r, t, sets)) continue;
    vec_each_at(const Action, action, t->actions) {
        memcpy(r->here, &sets[r->words * action->source], r->words * sizeof *sets);
        vec_each_at(const Instr, in, action->instrs) {
            if (in->kind == INSTR_ALLOC || in->kind == INSTR_ALIVE) note_begin(r, in->object, r->here);
            execute(r, t, in, r->here);
        }
    }
    vec_free(sets);
}

static uint64_t *find_frees(const ReusedPlaces *r, const Template *t) {
    uint64_t *set = NULL;
    vec_resize(set, r->words);
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++)
            if (t->actions[a].instrs[i].kind == INSTR_FREE) put_freed(r, &t->actions[a].instrs[i], set);
    return set;
}

ReusedPlaces *reuse_new(const Program *p, PointsTo *pointsto) {
    ReusedPlaces *r = zeroed(1, sizeof *r);
    *r = (ReusedPlaces){.program = p, .pointsto = pointsto, .words = (vec_len(p->objects) + 63) / 64};
    vec_resize(r->here, r->words);
    vec_resize(r->after, r->words * vec_len(p->objects));
    bool any = false;
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        vec_push(r->frees, find_frees(r, p->templates[t]));
        for (size_t i = 0; i < r->words; i++) any |= r->frees[t][i] != 0;
    }
    for (size_t t = 0; t < vec_len(p->templates) && any; t++) find_begins(r, p->templates[t]);
    return r;
}

void reuse_free(ReusedPlaces *r) {
    vec_free_rows(r->frees);
    vec_free(r->after);
    vec_free(r->here);
    free(r);
}

bool reuse_of(const ReusedPlaces *r, const Object *site, const Object *later) {
    return site->kind == OBJECT_HEAP && has(&r->after[site->index * r->words], later);
}
