/* SPDX-License-Identifier: Apache-2.0 */
#include "transform/vectors.h"
#include "base/die.h"
#include "base/map.h"
#include "base/vec.h"
#include "transform/plain.h"
#include <stdlib.h>
#include <string.h>

struct Vectors {
    const System *system;
    const Blocks *blocks;
    const Letters *letters;
    Arena *arena;
    bool *plain, *relevant; /* by variable */
    Vector **list;          /* vecs, by vector */
    VectorStep **next;
    bool *unfolded;
    Map *by_hash; /* of a vector -> index + 1 */
    unsigned *chain;
    uint64_t ***later; /* by thread, by location: the letters of the thread from there on, as bits; NULL: not yet computed */
};

/* ---- vectors ---- */

static bool is_live(const System *s, const unsigned *locations, unsigned v) {
    unsigned t = s->variables[v].thread;
    if (t == NONE) return true;
    const unsigned *live = s->threads[t].locations[locations[t]].live;
    for (size_t k = 0; k < vec_len(live); k++)
        if (live[k] == v) return true;
    return false;
}

static uint64_t vector_hash(const Vectors *vs, const unsigned *locations, const Expr *const *values) {
    uint64_t h = hash_bytes(locations, vec_len(vs->system->threads) * sizeof *locations, 1);
    for (size_t v = 0; v < vec_len(vs->system->variables); v++)
        if (values[v]) h = hash_word(h ^ hash_word(v << 32 | values[v]->id));
    return h;
}

/* values: what is plain; what does not matter at these locations is forgotten. */
static unsigned vector_for(Vectors *vs, const unsigned *locations, const Expr **values) {
    const System *s = vs->system;
    size_t nt = vec_len(s->threads), nv = vec_len(s->variables);
    uint64_t head = 0;
    for (unsigned v = 0; v < nv; v++)
        if (values[v] && (!vs->relevant[v] || !is_live(s, locations, v))) values[v] = NULL;
    uint64_t h = vector_hash(vs, locations, values);
    map_get(vs->by_hash, h, &head);
    for (unsigned n = (unsigned)head; n; n = vs->chain[n - 1]) {
        const Vector *w = vs->list[n - 1];
        if (!memcmp(w->locations, locations, nt * sizeof *locations) && !memcmp((const void *)w->values, (const void *)values, nv * sizeof *values))
            return n - 1;
    }
    Vector *w = arena_alloc(vs->arena, sizeof *w);
    w->locations = arena_copy(vs->arena, locations, nt * sizeof *locations);
    w->values = arena_copy(vs->arena, (const void *)values, nv * sizeof *values);
    vec_push(vs->list, w);
    vec_push(vs->next, NULL);
    vec_push(vs->unfolded, false);
    vec_push(vs->chain, (unsigned)head);
    map_put(vs->by_hash, h, vec_len(vs->list));
    return (unsigned)vec_len(vs->list) - 1;
}

typedef struct Constants {
    const System *system;
    const Expr *const *values;
} Constants;

static const Expr *constant_image(void *context, const Expr *e) {
    const Constants *c = context;
    unsigned v = system_variable(c->system, e->symbol);
    return v == NONE ? NULL : c->values[v];
}

static const Expr *put_in(const Vectors *vs, const Vector *w, const Expr *e) {
    Constants c = {vs->system, w->values};
    return expr_substitute(vs->system->exprs, e, constant_image, &c);
}

/* ---- steps ---- */

typedef struct Stepping {
    Vectors *vectors;
    unsigned from;
    const Letter *letter;
    const Expr **after; /* by variable: its value afterwards, with the vector's constants put in; NULL: unchanged */
    VectorStep **steps;
} Stepping;

static void add_step(Stepping *g, const Expr *guard) {
    Vectors *vs = g->vectors;
    const System *s = vs->system;
    const Vector *w = vs->list[g->from];
    VectorStep step = {.letter = g->letter->step.index, .target = NONE, .guard = guard};
    if (!letter_is_bad(vs->letters, g->letter)) {
        unsigned *locations = NULL;
        const Expr **values = NULL;
        Update *updates = NULL;
        for (unsigned t = 0; t < vec_len(s->threads); t++) vec_push(locations, t == g->letter->thread ? g->letter->step.target : w->locations[t]);
        for (unsigned v = 0; v < vec_len(s->variables); v++) {
            const Expr *value = g->after[v] ? g->after[v] : w->values[v];
            vec_push(values, vs->plain[v] && value && expr_is_const(value) ? value : NULL);
        }
        step.target = vector_for(vs, locations, values);
        for (unsigned v = 0; v < vec_len(s->variables); v++)
            if (g->after[v] && vs->relevant[v] && !values[v]) vec_push(updates, ((Update){v, g->after[v]}));
        step.updates = updates;
        vec_free(locations);
        vec_free(values);
    }
    vec_push(*g->steps, step);
}

/* A choice between constants is split, so that each side has a constant. */
static void split(Stepping *g, const Expr *guard, unsigned v) {
    Vectors *vs = g->vectors;
    Exprs *x = vs->system->exprs;
    if (expr_is_false(guard)) return;
    while (v < vec_len(vs->system->variables) && !(vs->plain[v] && g->after[v] && g->after[v]->op == OP_ITE)) v++;
    if (v == vec_len(vs->system->variables)) {
        add_step(g, guard);
        return;
    }
    const Expr *choice = g->after[v];
    for (unsigned side = 0; side < 2; side++) {
        g->after[v] = choice->args[1 + side];
        split(g, expr_and(x, guard, side ? expr_not(x, choice->args[0]) : choice->args[0]), v);
    }
    g->after[v] = choice;
}

static void take(Vectors *vs, unsigned from, const Letter *l, VectorStep **steps) {
    const Vector *w = vs->list[from];
    const Expr *guard = put_in(vs, w, l->step.guard);
    Stepping g = {vs, from, l, NULL, steps};
    if (expr_is_false(guard)) return;
    vec_resize(g.after, vec_len(vs->system->variables));
    for (size_t i = 0; i < vec_len(l->step.updates); i++) {
        unsigned v = l->step.updates[i].variable;
        if (vs->relevant[v]) g.after[v] = put_in(vs, w, l->step.updates[i].value);
    }
    split(&g, guard, 0);
    vec_free(g.after);
}

/* The thread in the middle of a block, which alone may move; NONE: all may. */
static unsigned inside(const Vectors *vs, const Vector *w) {
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++)
        if (!vs->blocks->out[t][w->locations[t]]) return t;
    return NONE;
}

const VectorStep *vectors_next(Vectors *vs, unsigned vector) {
    if (vs->unfolded[vector]) return vs->next[vector];
    const Vector *w = vs->list[vector];
    VectorStep *steps = NULL;
    unsigned only = inside(vs, w);
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++) {
        const unsigned *from = vs->letters->from[t][w->locations[t]];
        for (size_t i = 0; i < vec_len(from) && (only == NONE || only == t); i++) take(vs, vector, &vs->letters->list[from[i]], &steps);
    }
    vs->unfolded[vector] = true;
    return vs->next[vector] = steps;
}

size_t vectors_count(const Vectors *vs) { return vec_len(vs->list); }
const Vector *vectors_get(const Vectors *vs, unsigned vector) { return vs->list[vector]; }

const Expr *vectors_known(const Vectors *vs, unsigned vector) {
    const System *s = vs->system;
    const Expr *e = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (vs->list[vector]->values[v]) e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), vs->list[vector]->values[v]));
    return e;
}

const Expr *vectors_initially(const Vectors *vs) {
    const System *s = vs->system;
    const Expr *e = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (s->variables[v].init && vs->relevant[v] && !vs->list[0]->values[v])
            e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    return e;
}

/* ---- exchanging letters ---- */

const Expr *vectors_swap(Vectors *vs, unsigned vector, unsigned first, unsigned second) {
    const Letter *a = &vs->letters->list[first], *b = &vs->letters->list[second];
    const Vector *w = vs->list[vector];
    bool **out = vs->blocks->out;
    bool free = inside(vs, w) == NONE && out[a->thread][a->step.target] && out[b->thread][b->step.target];
    if (!free) return expr_bool(vs->system->exprs, false);
    return put_in(vs, w, letters_swap(vs->system, vs->relevant, a, b));
}

/* ---- where there is nothing to explore ---- */

static size_t words(const Vectors *vs) { return (vec_len(vs->letters->list) + 63) / 64; }
static bool has(const uint64_t *bits, unsigned i) { return bits[i / 64] >> i % 64 & 1; }

/* The letters of a thread from a location on, whatever their guards. */
static const uint64_t *letters_from(Vectors *vs, unsigned t, unsigned location) {
    if (vs->later[t][location]) return vs->later[t][location];
    uint64_t *bits = arena_alloc(vs->arena, words(vs) * sizeof *bits);
    bool *seen = NULL;
    unsigned *work = NULL;
    memset(bits, 0, words(vs) * sizeof *bits);
    vec_resize(seen, vec_len(vs->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work)) {
        const unsigned *from = vs->letters->from[t][vec_pop(work)];
        for (size_t i = 0; i < vec_len(from); i++) {
            unsigned target = vs->letters->list[from[i]].step.target;
            bits[from[i] / 64] |= (uint64_t)1 << from[i] % 64;
            if (!seen[target]) vec_push(work, target);
            seen[target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
    return vs->later[t][location] = bits;
}

static bool *find_frozen(Vectors *vs, const Vector *w, const uint64_t *sleep) {
    bool *frozen = NULL;
    vec_resize(frozen, vec_len(vs->system->threads));
    for (unsigned t = 0; t < vec_len(frozen); t++) {
        const unsigned *from = vs->letters->from[t][w->locations[t]];
        frozen[t] = vec_len(from) > 0;
        for (size_t i = 0; i < vec_len(from) && frozen[t]; i++) frozen[t] = has(sleep, from[i]) && vs->blocks->out[t][vs->letters->list[from[i]].step.target];
    }
    return frozen;
}

/* A thread whose letters here meet what another can still do is not frozen: that may wake it. False: nobody is frozen. */
static bool thaw(Vectors *vs, const Vector *w, bool *frozen) {
    size_t n = vec_len(frozen);
    bool changed, some = false;
    do {
        changed = false;
        for (unsigned t = 0; t < n; t++)
            for (unsigned u = 0; u < n && frozen[t]; u++) {
                if (frozen[u]) continue;
                const uint64_t *later = letters_from(vs, u, w->locations[u]);
                const unsigned *from = vs->letters->from[t][w->locations[t]];
                for (size_t i = 0; i < vec_len(from) && frozen[t]; i++)
                    for (unsigned l = 0; l < vec_len(vs->letters->list) && frozen[t]; l++)
                        if (has(later, l) && !letters_disjoint(&vs->letters->list[from[i]], &vs->letters->list[l])) frozen[t] = false;
                changed |= !frozen[t];
            }
    } while (changed);
    for (unsigned t = 0; t < n; t++) some |= frozen[t];
    return some;
}

/* The constants of the vector that nobody who is not frozen can change. */
static const Expr **lasting_constants(Vectors *vs, const Vector *w, const bool *frozen) {
    const Expr **values = NULL;
    for (unsigned v = 0; v < vec_len(vs->system->variables); v++) vec_push(values, w->values[v]);
    for (unsigned u = 0; u < vec_len(frozen); u++) {
        const uint64_t *later = frozen[u] ? NULL : letters_from(vs, u, w->locations[u]);
        for (unsigned l = 0; later && l < vec_len(vs->letters->list); l++)
            for (size_t k = 0; has(later, l) && k < vec_len(vs->letters->list[l].step.updates); k++)
                values[vs->letters->list[l].step.updates[k].variable] = NULL;
    }
    return values;
}

static bool reaches_error(Vectors *vs, unsigned t, unsigned location, const Expr *const *values) {
    Constants c = {vs->system, values};
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(vs->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work) && !found) {
        const unsigned *from = vs->letters->from[t][vec_pop(work)];
        for (size_t i = 0; i < vec_len(from) && !found; i++) {
            const Letter *l = &vs->letters->list[from[i]];
            if (seen[l->step.target] || expr_is_false(expr_substitute(vs->system->exprs, l->step.guard, constant_image, &c))) continue;
            found = letter_is_bad(vs->letters, l);
            seen[l->step.target] = true;
            vec_push(work, l->step.target);
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

bool vectors_dead(Vectors *vs, unsigned vector, const uint64_t *sleep) {
    const Vector *w = vs->list[vector];
    bool *frozen = inside(vs, w) == NONE ? find_frozen(vs, w, sleep) : NULL, dead = false;
    if (frozen && thaw(vs, w, frozen)) {
        const Expr **values = lasting_constants(vs, w, frozen);
        dead = true;
        for (unsigned u = 0; u < vec_len(frozen) && dead; u++) dead = frozen[u] || !reaches_error(vs, u, w->locations[u], values);
        vec_free(values);
    }
    vec_free(frozen);
    return dead;
}

/* ---- the beginning and the end ---- */

Vectors *vectors_new(const System *s, const Blocks *b, const Letters *letters) {
    Vectors *vs = calloc(1, sizeof *vs);
    if (!vs) die("out of memory");
    vs->system = s;
    vs->blocks = b;
    vs->letters = letters;
    vs->arena = arena_new();
    vs->plain = plain_variables(s);
    vs->relevant = system_relevant(s);
    vs->by_hash = map_new();
    unsigned *locations = NULL;
    const Expr **values = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        uint64_t **later = NULL;
        vec_push(locations, s->threads[t].entry);
        vec_resize(later, vec_len(s->threads[t].locations));
        vec_push(vs->later, later);
    }
    for (size_t v = 0; v < vec_len(s->variables); v++) {
        const Expr *init = s->variables[v].init;
        vec_push(values, vs->plain[v] && init && expr_is_const(init) ? init : NULL);
    }
    vector_for(vs, locations, values);
    vec_free(locations);
    vec_free(values);
    return vs;
}

void vectors_free(Vectors *vs) {
    if (!vs) return;
    for (size_t i = 0; i < vec_len(vs->next); i++) {
        for (size_t k = 0; k < vec_len(vs->next[i]); k++) {
            Update *updates = (Update *)(uintptr_t)vs->next[i][k].updates;
            vec_free(updates);
        }
        vec_free(vs->next[i]);
    }
    for (size_t t = 0; t < vec_len(vs->later); t++) vec_free(vs->later[t]);
    vec_free(vs->later);
    vec_free(vs->next);
    vec_free(vs->list);
    vec_free(vs->unfolded);
    vec_free(vs->chain);
    vec_free(vs->plain);
    vec_free(vs->relevant);
    map_free(vs->by_hash);
    arena_free(vs->arena);
    free(vs);
}
