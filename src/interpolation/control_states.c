/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of vectors, unfolded on demand.

   requires  a system with its blocks and letters
   ensures   every execution of letters is a path of it; what is plain at a vector holds there
   breaks    nothing */
#include "interpolation/control_states.h"
#include "base/map.h"
#include "analysis/finite_variables.h"
#include <stdlib.h>
#include <string.h>

struct ControlStates {
    const System *system;
    const Blocks *blocks;
    const BlockSteps *letters;
    Arena *arena;
    bool *plain, *relevant; /* by variable */
    bool all;               /* control_states_all */
    bool *promising;        /* by variable: plain if it turns out to take few constants; NULL: none */
    ControlState **list;    /* vecs, by vector */
    ControlStep **next;
    bool *unfolded;
    Map *by_hash; /* of a vector -> index + 1 */
    unsigned *chain;
    Map *dead; /* of a vector and who is asleep (a hash of both) -> is there nothing to explore? */
};

/* ---- vectors ---- */

static uint64_t vector_hash(const ControlStates *vs, const unsigned *locations, const Expr *const *values) {
    uint64_t h = hash_bytes(locations, vec_len(vs->system->threads) * sizeof *locations, 1);
    for (size_t v = 0; v < vec_len(vs->system->variables); v++)
        if (values[v]) h = hash_word(h ^ hash_word(v << 32 | values[v]->id));
    return h;
}

/* values: what is plain; what does not matter at these locations is forgotten. */
static unsigned vector_for(ControlStates *vs, const unsigned *locations, const Expr **values) {
    const System *s = vs->system;
    size_t nt = vec_len(s->threads), nv = vec_len(s->variables);
    uint64_t head = 0;
    for (unsigned v = 0; v < nv; v++)
        if (values[v] && (!vs->relevant[v] || !system_is_live(s, locations, v))) values[v] = NULL;
    uint64_t h = vector_hash(vs, locations, values);
    map_get(vs->by_hash, h, &head);
    for (unsigned n = (unsigned)head; n; n = vs->chain[n - 1]) {
        const ControlState *w = vs->list[n - 1];
        if (!memcmp(w->locations, locations, nt * sizeof *locations) &&
            !memcmp((const void *)w->values, (const void *)values, nv * sizeof *values))
            return n - 1;
    }
    ControlState *w = arena_alloc(vs->arena, sizeof *w);
    w->locations = arena_copy(vs->arena, locations, nt * sizeof *locations);
    w->values = arena_copy(vs->arena, (const void *)values, nv * sizeof *values);
    vec_push(vs->list, w);
    vec_push(vs->next, NULL);
    vec_push(vs->unfolded, false);
    vec_push(vs->chain, (unsigned)head);
    map_put(vs->by_hash, h, vec_len(vs->list));
    return (unsigned)vec_len(vs->list) - 1;
}

static const Expr *put_in(const ControlStates *vs, const ControlState *w, const Expr *e) { return system_with(vs->system, w->values, e); }

/* ---- steps ---- */

/* ---- values ---- */

static int by_index(const void *a, const void *b) {
    const Expr *const *x = a, *const *y = b;
    return (x[0]->id > y[0]->id) - (x[0]->id < y[0]->id);
}

static bool is_stored(const Expr **stores, const Expr *index) {
    for (size_t i = 0; i < vec_len(stores); i += 2)
        if (stores[i] == index) return true;
    return false;
}

/* Constants stored into an array of one constant: each index once, in the order of their identities. NULL: it is
   something else. */
static const Expr *array_value(Exprs *x, const Expr *e) {
    const Expr **stores = NULL; /* index, element, index, element … */
    const Expr *base = e;
    for (; base->op == OP_STORE && expr_is_const(base->args[1]) && expr_is_const(base->args[2]); base = base->args[0])
        if (!is_stored(stores, base->args[1])) {
            vec_push(stores, base->args[1]);
            vec_push(stores, base->args[2]);
        }
    bool plain = base->op == OP_CONST_ARRAY && expr_is_const(base->args[0]);
    if (plain && vec_len(stores)) qsort((void *)stores, vec_len(stores) / 2, 2 * sizeof *stores, by_index);
    const Expr *value = plain ? base : NULL;
    for (size_t i = 0; plain && i < vec_len(stores); i += 2)
        if (stores[i + 1] != base->args[0]) value = expr_make(x, OP_STORE, 0, 3, (const Expr *[]){value, stores[i], stores[i + 1]});
    vec_free(stores);
    return value;
}

/* The constant it is, or NULL: it is none. Equal ones are the same. */
static const Expr *value_of(Exprs *x, const Expr *e) {
    if (!e) return NULL;
    return e->op == OP_STORE || e->op == OP_CONST_ARRAY ? array_value(x, e) : expr_is_const(e) ? e : NULL;
}

typedef struct Stepping {
    ControlStates *vectors;
    unsigned from;
    const BlockStep *letter;
    const Expr **after; /* by variable: its value afterwards, with the vector's constants put in; NULL: unchanged */
    ControlStep **steps;
} Stepping;

static void add_step(Stepping *g, const Expr *guard) {
    ControlStates *vs = g->vectors;
    const System *s = vs->system;
    const ControlState *w = vs->list[g->from];
    ControlStep step = {.letter = g->letter->step.index, .target = NONE, .guard = guard};
    if (!letter_is_bad(vs->letters, g->letter)) {
        unsigned *locations = NULL;
        const Expr **values = NULL;
        Update *updates = NULL;
        for (unsigned t = 0; t < vec_len(s->threads); t++)
            vec_push(locations, t == g->letter->thread ? g->letter->step.target : w->locations[t]);
        for (unsigned v = 0; v < vec_len(s->variables); v++) {
            const Expr *after = g->after[v] ? value_of(s->exprs, g->after[v]) : w->values[v];
            vec_push(values, vs->plain[v] ? after : NULL);
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

static bool has_constant(Exprs *x, const Expr *e) {
    return value_of(x, e) || (e->op == OP_ITE && (has_constant(x, e->args[1]) || has_constant(x, e->args[2])));
}

static bool is_choice(const Stepping *g, unsigned v) {
    const ControlStates *vs = g->vectors;
    if (!vs->plain[v] || !g->after[v] || g->after[v]->op != OP_ITE) return false;
    return !vs->promising || !vs->promising[v] || has_constant(vs->system->exprs, g->after[v]);
}

/* A choice between constants is split, so that each side has a constant. */
static void split(Stepping *g, const Expr *guard, unsigned v) {
    ControlStates *vs = g->vectors;
    Exprs *x = vs->system->exprs;
    if (expr_is_false(guard)) return;
    while (v < vec_len(vs->system->variables) && !is_choice(g, v)) v++;
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

/* ---- inputs with few values ---- */

typedef struct InputValue {
    const Symbol *input;
    const Expr *value;
} InputValue;

static const Expr *input_image(void *context, const Expr *e) {
    const InputValue *i = context;
    return e->symbol == i->input ? i->value : NULL;
}

/* How many values the sort has; 0: more than a few. */
static unsigned few_values(const Sort *s) {
    enum { NARROW = 3 };
    return s->kind == SORT_BOOL ? 2 : s->kind == SORT_BV && s->width <= NARROW ? 1u << s->width : 0;
}

/* The step with this value for an input. False: that makes no difference. */
static bool put_in_input(Stepping *g, const Expr *const *after, InputValue value, const Expr **guard) {
    Exprs *x = g->vectors->system->exprs;
    const Expr *with = expr_substitute(x, *guard, input_image, &value);
    bool differs = with != *guard;
    for (size_t v = 0; v < vec_len(g->after); v++) {
        g->after[v] = after[v] ? expr_substitute(x, after[v], input_image, &value) : NULL;
        differs |= g->after[v] != after[v];
    }
    if (differs) *guard = expr_and(x, expr_eq(x, expr_symbol(x, value.input), value.value), with);
    return differs;
}

/* One step for each value of the inputs from this one on that have few values. */
static void split_inputs(Stepping *g, const Expr *guard, size_t input) {
    const Symbol *const *inputs = g->letter->step.inputs;
    while (input < vec_len(inputs) && !few_values(inputs[input]->sort)) input++;
    if (input >= vec_len(inputs) || !g->vectors->all) {
        split(g, guard, 0);
        return;
    }
    const Expr **after = vec_copy(g->after);
    bool differs = true;
    for (unsigned i = 0; i < few_values(inputs[input]->sort) && differs; i++) {
        const Expr *then = guard;
        differs = put_in_input(g, after, (InputValue){inputs[input], expr_const(g->vectors->system->exprs, inputs[input]->sort, i)}, &then);
        split_inputs(g, then, input + 1);
    }
    for (size_t v = 0; v < vec_len(g->after); v++) g->after[v] = after[v];
    vec_free(after);
}

static void take(ControlStates *vs, unsigned from, const BlockStep *l, ControlStep **steps) {
    const ControlState *w = vs->list[from];
    const Expr *guard = put_in(vs, w, l->step.guard);
    Stepping g = {vs, from, l, NULL, steps};
    if (expr_is_false(guard)) return;
    vec_resize(g.after, vec_len(vs->system->variables));
    for (size_t i = 0; i < vec_len(l->step.updates); i++) {
        unsigned v = l->step.updates[i].variable;
        if (vs->relevant[v]) g.after[v] = put_in(vs, w, l->step.updates[i].value);
    }
    split_inputs(&g, guard, 0);
    vec_free(g.after);
}

/* The thread in the middle of a block, which alone may move; NONE: all may. */
static unsigned inside(const ControlStates *vs, const ControlState *w) {
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++)
        if (!vs->blocks->out[t][w->locations[t]]) return t;
    return NONE;
}

const ControlStep *control_states_next(ControlStates *vs, unsigned vector) {
    ensure(vector < vec_len(vs->list) && vec_len(vs->unfolded) == vec_len(vs->list));
    if (vs->unfolded[vector]) return vs->next[vector];
    const ControlState *w = vs->list[vector];
    ControlStep *steps = NULL;
    unsigned only = inside(vs, w);
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++) {
        const unsigned *from = vs->letters->from[t][w->locations[t]];
        for (size_t i = 0; i < vec_len(from) && (only == NONE || only == t); i++) take(vs, vector, &vs->letters->list[from[i]], &steps);
    }
    vs->unfolded[vector] = true;
    return vs->next[vector] = steps;
}

size_t control_states_count(const ControlStates *vs) { return vec_len(vs->list); }
const ControlState *control_states_get(const ControlStates *vs, unsigned vector) {
    ensure(vector < vec_len(vs->list));
    return vs->list[vector];
}

const Expr *control_states_known(const ControlStates *vs, unsigned vector) {
    ensure(vector < vec_len(vs->list));
    const System *s = vs->system;
    const Expr **all = NULL, *e = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (vs->list[vector]->values[v]) vec_push(all, expr_eq(s->exprs, system_expr(s, v), vs->list[vector]->values[v]));
    if (vec_len(all)) e = expr_make(s->exprs, OP_AND, 0, (unsigned)vec_len(all), all);
    vec_free(all);
    return e;
}

const Expr *control_states_initially(const ControlStates *vs) {
    const System *s = vs->system;
    const Expr *e = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (s->variables[v].init && vs->relevant[v] && !vs->list[0]->values[v])
            e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    return e;
}

/* ---- exchanging letters ---- */

const Expr *control_states_swap(ControlStates *vs, unsigned vector, unsigned first, unsigned second) {
    ensure(vector < vec_len(vs->list));
    const BlockStep *a = &vs->letters->list[first], *b = &vs->letters->list[second];
    const ControlState *w = vs->list[vector];
    bool **out = vs->blocks->out;
    bool free = inside(vs, w) == NONE && out[a->thread][a->step.target] && out[b->thread][b->step.target];
    if (!free) return expr_bool(vs->system->exprs, false);
    return put_in(vs, w, block_steps_swap(vs->system, vs->relevant, a, b));
}

/* ---- where there is nothing to explore ---- */

static bool has(const uint64_t *bits, unsigned i) { return bits[i / 64] >> i % 64 & 1; }

/* What threads that are not frozen can still do while the others stand still. */
typedef struct Future {
    bool *frozen;         /* vecs: by thread */
    const Expr **lasting; /* by variable: constants that stay */
    bool *letters;        /* what can be done, by letter */
    bool error;
} Future;

/* The letters of a thread from its location on, without those that the lasting constants exclude. */
static void look_ahead(ControlStates *vs, Future *f, unsigned t, unsigned location) {
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(vs->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work)) {
        const unsigned *from = vs->letters->from[t][vec_pop(work)];
        for (size_t i = 0; i < vec_len(from); i++) {
            const BlockStep *l = &vs->letters->list[from[i]];
            if (expr_is_false(system_with(vs->system, f->lasting, l->step.guard))) continue;
            f->letters[from[i]] = true;
            f->error |= letter_is_bad(vs->letters, l);
            if (!seen[l->step.target]) vec_push(work, l->step.target);
            seen[l->step.target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Constants stay that nobody writes who is not frozen; who is not frozen does what these constants do not exclude. */
static void find_future(ControlStates *vs, const ControlState *w, Future *f) {
    bool changed = true;
    for (unsigned v = 0; v < vec_len(f->lasting); v++) f->lasting[v] = w->values[v];
    while (changed) {
        changed = false;
        f->error = false;
        memset(f->letters, 0, vec_len(f->letters) * sizeof *f->letters);
        for (unsigned u = 0; u < vec_len(f->frozen); u++)
            if (!f->frozen[u]) look_ahead(vs, f, u, w->locations[u]);
        for (unsigned l = 0; l < vec_len(f->letters); l++) {
            const Update *updates = f->letters[l] ? vs->letters->list[l].step.updates : NULL;
            for (size_t k = 0; k < vec_len(updates); k++) {
                changed |= f->lasting[updates[k].variable] != NULL;
                f->lasting[updates[k].variable] = NULL;
            }
        }
    }
}

/* Of the letters of the thread, those that constants do not exclude are asleep, and let others go on. */
static bool all_asleep(const ControlStates *vs, const ControlStep *steps, unsigned t, unsigned location, const uint64_t *sleep) {
    for (size_t i = 0; i < vec_len(steps); i++) {
        const BlockStep *l = &vs->letters->list[steps[i].letter];
        if (l->thread == t && !(has(sleep, steps[i].letter) && vs->blocks->out[t][l->step.target])) return false;
    }
    return vec_len(vs->letters->from[t][location]) > 0;
}

/* A thread whose letters here meet what others can still do may wake. */
static bool may_wake(const ControlStates *vs, const Future *f, unsigned t, unsigned location) {
    const unsigned *from = vs->letters->from[t][location];
    for (size_t i = 0; i < vec_len(from); i++)
        for (unsigned l = 0; l < vec_len(f->letters); l++)
            if (f->letters[l] && !block_steps_disjoint(&vs->letters->list[from[i]], &vs->letters->list[l])) return true;
    return false;
}

bool control_states_dead(ControlStates *vs, unsigned vector, const uint64_t *sleep) {
    ensure(vector < vec_len(vs->list));
    const ControlState *w = vs->list[vector];
    size_t nt = vec_len(vs->system->threads);
    Future f = {0};
    uint64_t key = hash_word(vector + 1), known = 0;
    bool some = false, changed = true;
    if (inside(vs, w) != NONE) return false;
    const ControlStep *steps = control_states_next(vs, vector);
    for (unsigned t = 0; t < nt; t++) {
        vec_push(f.frozen, all_asleep(vs, steps, t, w->locations[t], sleep));
        some |= f.frozen[t];
        key = hash_word(key ^ (2 * t + f.frozen[t]));
    }
    if (some && !map_get(vs->dead, key, &known)) {
        vec_resize(f.lasting, vec_len(vs->system->variables));
        vec_resize(f.letters, vec_len(vs->letters->list));
        while (some && changed) {
            some = changed = false;
            find_future(vs, w, &f);
            for (unsigned t = 0; t < nt; t++) {
                if (!f.frozen[t]) continue;
                f.frozen[t] = !may_wake(vs, &f, t, w->locations[t]);
                some |= f.frozen[t];
                changed |= !f.frozen[t];
            }
        }
        known = some && !f.error;
        map_put(vs->dead, key, known);
    }
    vec_free(f.frozen);
    vec_free(f.lasting);
    vec_free(f.letters);
    return known;
}

/* ---- the beginning and the end ---- */

static void begin(ControlStates *vs) {
    const System *s = vs->system;
    unsigned *locations = NULL;
    const Expr **values = NULL;
    vs->arena = arena_new();
    vs->by_hash = map_new();
    vs->dead = map_new();
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(locations, s->threads[t].entry);
    for (size_t v = 0; v < vec_len(s->variables); v++) {
        vec_push(values, vs->plain[v] ? value_of(s->exprs, s->variables[v].init) : NULL);
    }
    vector_for(vs, locations, values);
    vec_free(locations);
    vec_free(values);
}

static void end(ControlStates *vs) {
    for (size_t i = 0; i < vec_len(vs->next); i++) {
        for (size_t k = 0; k < vec_len(vs->next[i]); k++) {
            Update *updates = (Update *)(uintptr_t)vs->next[i][k].updates;
            vec_free(updates);
        }
        vec_free(vs->next[i]);
    }
    vec_free(vs->next);
    vec_free(vs->list);
    vec_free(vs->unfolded);
    vec_free(vs->chain);
    map_free(vs->by_hash);
    map_free(vs->dead);
    arena_free(vs->arena);
}

ControlStates *control_states_new(const System *s, const Blocks *b, const BlockSteps *letters) {
    ControlStates *vs = zeroed(1, sizeof *vs);
    vs->system = s;
    vs->blocks = b;
    vs->letters = letters;
    vs->plain = finite_valued_variables(s);
    vs->relevant = system_relevant(s);
    begin(vs);
    return vs;
}

void control_states_free(ControlStates *vs) {
    if (!vs) return;
    end(vs);
    vec_free(vs->plain);
    vec_free(vs->promising);
    vec_free(vs->relevant);
    free(vs);
}

/* ---- what is plain, decided otherwise ---- */

void control_states_only_status(ControlStates *vs) {
    memset(vs->plain, 0, vec_len(vs->plain) * sizeof *vs->plain);
    for (size_t t = 0; t < vec_len(vs->system->threads); t++)
        if (vs->system->threads[t].status != NONE) vs->plain[vs->system->threads[t].status] = true;
    end(vs);
    begin(vs);
}

void control_states_all(ControlStates *vs) {
    vs->all = true;
    vec_resize(vs->promising, vec_len(vs->plain));
    for (unsigned v = 0; v < vec_len(vs->plain); v++) vs->plain[v] = vs->promising[v] = vs->relevant[v];
    end(vs);
    begin(vs);
}

enum { FEW = 4 };

typedef struct Domain {
    const Expr *constants[FEW];
    unsigned n;
    bool other; /* somewhere it is none of them */
} Domain;

static unsigned size_of(const Domain *d) { return d->n + d->other; }

/* A promising variable with more than a few constants is not plain: true. */
static bool disappoints(ControlStates *vs, unsigned vector, Domain *domains) {
    bool any = false;
    for (unsigned v = 0; v < vec_len(vs->plain); v++) {
        const Expr *value = vs->list[vector]->values[v];
        Domain *d = &domains[v];
        unsigned k = 0;
        if (!vs->promising[v]) continue;
        if (!value) {
            d->other |= system_is_live(vs->system, vs->list[vector]->locations, v);
            continue;
        }
        while (k < d->n && d->constants[k] != value) k++;
        if (k < d->n) continue;
        if (d->n < FEW) d->constants[d->n++] = value;
        else vs->plain[v] = vs->promising[v] = false, any = true;
    }
    return any;
}

/* Too many vectors: the promising variable with the most constants is given up. False: there is none. */
static bool give_up_one(ControlStates *vs, const Domain *domains) {
    unsigned worst = NONE;
    for (unsigned v = 0; v < vec_len(vs->plain); v++)
        if (vs->promising[v] && size_of(&domains[v]) > 1 && (worst == NONE || size_of(&domains[v]) > size_of(&domains[worst]))) worst = v;
    if (worst != NONE) vs->plain[worst] = vs->promising[worst] = false;
    return worst != NONE;
}

/* False: to be tried again. */
static bool unfold_all(ControlStates *vs, size_t most) {
    Domain *domains = NULL;
    bool again = false;
    vec_resize(domains, vec_len(vs->plain));
    again = disappoints(vs, 0, domains);
    for (unsigned i = 0, met = 1; i < vec_len(vs->list) && !again; i++) {
        if (vec_len(vs->list) > most) {
            again = give_up_one(vs, domains);
            break;
        }
        control_states_next(vs, i);
        for (; met < vec_len(vs->list) && !again; met++) again = disappoints(vs, met, domains);
    }
    vec_free(domains);
    return !again;
}

void control_states_widen(ControlStates *vs, size_t most) {
    bool some = false;
    vec_resize(vs->promising, vec_len(vs->plain));
    for (unsigned v = 0; v < vec_len(vs->plain); v++) {
        vs->promising[v] = !vs->plain[v] && vs->relevant[v] && vs->system->variables[v].symbol->sort->kind != SORT_ARRAY;
        vs->plain[v] |= vs->promising[v];
        some |= vs->promising[v];
    }
    if (!some) return;
    do {
        end(vs);
        vs->next = NULL, vs->list = NULL, vs->unfolded = NULL, vs->chain = NULL;
        begin(vs);
    } while (!unfold_all(vs, most));
}
