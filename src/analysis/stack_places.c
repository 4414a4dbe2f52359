/* SPDX-License-Identifier: Apache-2.0 */
/* See reused_places.h. The sets of objects that may be alive are computed on demand, by a flow through a template. */
#include "analysis/reused_places.h"
#include "analysis/graph.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

struct StackLives {
    const Program *program;
    PointsTo *pointsto;
    uint64_t **alive; /* a vec by template: by location, the words of the set of objects that may be alive; computed on demand */
    uint64_t *here;   /* a vec of words: the set at the present instruction */
    Map *known;       /* two objects: the answer of stack_disjoint_lives; twice the same object: that of stack_moves */
    bool allocates;   /* the program allocates on a stack */
};

StackLives *stack_new(const Program *p, PointsTo *pointsto) {
    StackLives *s = zeroed(1, sizeof *s);
    *s = (StackLives){.program = p, .pointsto = pointsto, .known = map_new()};
    for (size_t i = 0; i < vec_len(p->objects); i++) s->allocates |= p->objects[i]->stack;
    return s;
}

void stack_free(StackLives *s) {
    vec_free_rows(s->alive);
    vec_free(s->here);
    map_free(s->known);
    free(s);
}

static bool has(const uint64_t *set, const Object *o) { return set[o->index / 64] >> o->index % 64 & 1; }

static void put(uint64_t *set, const Object *o, bool alive) {
    uint64_t bit = UINT64_C(1) << o->index % 64;
    if (alive) set[o->index / 64] |= bit;
    else set[o->index / 64] &= ~bit;
}

static void execute(const StackLives *s, const Instr *i, uint64_t *set) {
    if (i->kind == INSTR_ALIVE || (i->kind == INSTR_ALLOC && i->object->stack)) put(set, i->object, true);
    if (i->kind == INSTR_DEAD) put(set, i->object, false);
    if (i->kind != INSTR_FREE) return;
    const Targets *t = pointsto(s->pointsto, i->address);
    if (vec_len(t->list) == 1 && t->list[0].object->stack) put(set, t->list[0].object, false);
}

static size_t words_of(const StackLives *s) { return (vec_len(s->program->objects) + 63) / 64; }

/* Returns the sets of objects that may be alive at each location. */
static uint64_t *find_alive(StackLives *s, const Template *t) {
    size_t n = words_of(s);
    uint64_t *sets = NULL;
    vec_resize(sets, n * vec_len(t->locations));
    for (bool changed = true; changed;) {
        changed = false;
        vec_each_at(const Action, action, t->actions) {
            memcpy(s->here, &sets[n * action->source], n * sizeof *s->here);
            for (size_t i = 0; i < vec_len(action->instrs); i++) execute(s, &action->instrs[i], s->here);
            for (size_t i = 0; i < n; i++) {
                uint64_t *to = &sets[n * action->target + i];
                changed |= (s->here[i] & ~*to) != 0;
                *to |= s->here[i];
            }
        }
    }
    return sets;
}

/* Sets s->here to the objects that may be alive before the action. */
static void begin(StackLives *s, const Template *t, const Action *a) {
    size_t n = words_of(s);
    if (!s->alive) vec_resize(s->alive, vec_len(s->program->templates));
    vec_resize(s->here, n);
    if (vec_len(s->alive[t->index]) != n * vec_len(t->locations)) {
        vec_free(s->alive[t->index]);
        s->alive[t->index] = find_alive(s, t);
    }
    memcpy(s->here, &s->alive[t->index][n * a->source], n * sizeof *s->here);
}

static bool on_stack(const Object *o) { return o->kind == OBJECT_LOCAL || o->stack; }

static bool find_apart(StackLives *s, const Object *a, const Object *b) {
    const Template *t = s->program->templates[a->template_];
    bool together = false;
    for (size_t k = 0; k < vec_len(t->actions) && !together; k++) { /* an object's life may begin and end within an action */
        begin(s, t, &t->actions[k]);
        for (size_t i = 0; i < vec_len(t->actions[k].instrs) && !together; i++) {
            execute(s, &t->actions[k].instrs[i], s->here);
            together = has(s->here, a) && has(s->here, b);
        }
        together |= has(s->here, a) && has(s->here, b);
    }
    return !together;
}

bool stack_disjoint_lives(StackLives *s, const Object *a, const Object *b) {
    if (!on_stack(a) || !on_stack(b) || a->template_ != b->template_ || a == b) return false;
    uint64_t key = (uint64_t)a->index << 32 | b->index, known;
    if (!map_get(s->known, key, &known)) map_put(s->known, key, known = find_apart(s, a, b));
    return known;
}

static bool has_any(const StackLives *s) {
    for (size_t i = 0; i < vec_len(s->program->objects); i++)
        if (s->program->objects[i]->stack && has(s->here, s->program->objects[i])) return true;
    return false;
}

static bool find_moves(StackLives *s, const Object *o) {
    const Template *t = s->program->templates[o->template_];
    unsigned *components = graph_components(t), lives = 0;
    bool above = false;
    for (size_t k = 0; k < vec_len(t->actions); k++) {
        begin(s, t, &t->actions[k]);
        for (size_t i = 0; i < vec_len(t->actions[k].instrs); i++) {
            execute(s, &t->actions[k].instrs[i], s->here);
            if (t->actions[k].instrs[i].kind != INSTR_ALIVE || t->actions[k].instrs[i].object != o) continue;
            above |= has_any(s);
            lives += graph_repeats(components, &t->actions[k]) ? 2 : 1;
        }
    }
    vec_free(components);
    return above && lives > 1;
}

bool stack_moves(StackLives *s, const Object *o) {
    if (o->kind != OBJECT_LOCAL || !s->allocates) return false;
    uint64_t key = (uint64_t)o->index << 32 | o->index, known;
    if (!map_get(s->known, key, &known)) map_put(s->known, key, known = find_moves(s, o));
    return known;
}
