/* SPDX-License-Identifier: Apache-2.0 */
/* Unfolds the graph of control states on demand.

   requires  a system with its blocks and block steps
   ensures   every execution over block steps is a path of the graph; the constants of a control state hold there
   breaks    nothing */
#include "interpolation/control_states.h"
#include "base/map.h"
#include "analysis/finite_variables.h"
#include <stdlib.h>
#include <string.h>

struct ControlStates {
    const System *system;
    const Blocks *blocks;
    const BlockSteps *block_steps;
    Arena *arena;
    bool *tracked, *relevant; /* by variable */
    bool all;                 /* control_states_track_all */
    bool *tentative;          /* by variable: tracked as long as it takes few constants; NULL if there are no such variables */
    ControlState **list;      /* vecs, by control state */
    ControlStep **next;
    bool *unfolded;
    Map *by_hash; /* hash of a control state → index + 1 */
    unsigned *chain;
    Map *dead; /* hash of a control state and its sleeping threads → result of control_states_is_covered_by_sleep */
};

/* ---- control states ---- */

static uint64_t state_hash(const ControlStates *vs, const unsigned *locations, const Expr *const *values) {
    uint64_t h = hash_bytes(locations, vec_len(vs->system->threads) * sizeof *locations, 1);
    for (size_t v = 0; v < vec_len(vs->system->variables); v++)
        if (values[v]) h = hash_word(h ^ hash_word(v << 32 | values[v]->id));
    return h;
}

/* Returns the control state with these locations and constants, new or not. Constants that are not relevant or not live there are
   forgotten. */
static unsigned state_for(ControlStates *vs, const unsigned *locations, const Expr **values) {
    const System *s = vs->system;
    size_t nt = vec_len(s->threads), nv = vec_len(s->variables);
    uint64_t head = 0;
    for (unsigned v = 0; v < nv; v++)
        if (values[v] && (!vs->relevant[v] || !system_is_live(s, locations, v))) values[v] = NULL;
    uint64_t h = state_hash(vs, locations, values);
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

/* Returns the normal form of an array of constants: stores into a constant array, each index once, in the order of their identities. NULL
   for another array. */
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

/* Returns the constant that e is, in normal form, or NULL. */
static const Expr *value_of(Exprs *x, const Expr *e) {
    if (!e) return NULL;
    return e->op == OP_STORE || e->op == OP_CONST_ARRAY ? array_value(x, e) : expr_is_const(e) ? e : NULL;
}

typedef struct Stepping {
    ControlStates *control_states;
    unsigned from;
    const BlockStep *block_step;
    const Expr **after; /* by variable: its value after the step, with the constants put in; NULL if unchanged */
    ControlStep **steps;
} Stepping;

static void add_step(Stepping *g, const Expr *guard) {
    ControlStates *vs = g->control_states;
    const System *s = vs->system;
    const ControlState *w = vs->list[g->from];
    ControlStep step = {.block_step = g->block_step->step.index, .target = NONE, .guard = guard};
    if (!block_step_is_bad(vs->block_steps, g->block_step)) {
        unsigned *locations = NULL;
        const Expr **values = NULL;
        Update *updates = NULL;
        for (unsigned t = 0; t < vec_len(s->threads); t++)
            vec_push(locations, t == g->block_step->thread ? g->block_step->step.target : w->locations[t]);
        for (unsigned v = 0; v < vec_len(s->variables); v++) {
            const Expr *after = g->after[v] ? value_of(s->exprs, g->after[v]) : w->values[v];
            vec_push(values, vs->tracked[v] ? after : NULL);
        }
        step.target = state_for(vs, locations, values);
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
    const ControlStates *vs = g->control_states;
    if (!vs->tracked[v] || !g->after[v] || g->after[v]->op != OP_ITE) return false;
    return !vs->tentative || !vs->tentative[v] || has_constant(vs->system->exprs, g->after[v]);
}

/* Splits choices between constants, from variable v on, so that each step has a constant. */
static void split(Stepping *g, const Expr *guard, unsigned v) {
    ControlStates *vs = g->control_states;
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

/* Returns the number of values of the sort, or 0 if it is large. */
static unsigned few_values(const Sort *s) {
    enum { NARROW = 3 };
    return s->kind == SORT_BOOL ? 2 : s->kind == SORT_BV && s->width <= NARROW ? 1u << s->width : 0;
}

/* Puts the value of an input into the step. False if this makes no difference. */
static bool put_in_input(Stepping *g, const Expr *const *after, InputValue value, const Expr **guard) {
    Exprs *x = g->control_states->system->exprs;
    const Expr *with = expr_substitute(x, *guard, input_image, &value);
    bool differs = with != *guard;
    for (size_t v = 0; v < vec_len(g->after); v++) {
        g->after[v] = after[v] ? expr_substitute(x, after[v], input_image, &value) : NULL;
        differs |= g->after[v] != after[v];
    }
    if (differs) *guard = expr_and(x, expr_eq(x, expr_symbol(x, value.input), value.value), with);
    return differs;
}

/* Adds one step for each combination of values of the inputs from this one on, if they have few values. */
static void split_inputs(Stepping *g, const Expr *guard, size_t input) {
    const Symbol *const *inputs = g->block_step->step.inputs;
    while (input < vec_len(inputs) && !few_values(inputs[input]->sort)) input++;
    if (input >= vec_len(inputs) || !g->control_states->all) {
        split(g, guard, 0);
        return;
    }
    const Expr **after = vec_copy(g->after);
    bool differs = true;
    for (unsigned i = 0; i < few_values(inputs[input]->sort) && differs; i++) {
        const Expr *then = guard;
        differs = put_in_input(g, after, (InputValue){inputs[input], expr_const(g->control_states->system->exprs, inputs[input]->sort, i)},
                               &then);
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

/* Returns the thread in the middle of a block, which alone may move, or NONE. */
static unsigned thread_inside(const ControlStates *vs, const ControlState *w) {
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++)
        if (!vs->blocks->out[t][w->locations[t]]) return t;
    return NONE;
}

const ControlStep *control_states_next(ControlStates *vs, unsigned state) {
    ensure(state < vec_len(vs->list) && vec_len(vs->unfolded) == vec_len(vs->list));
    if (vs->unfolded[state]) return vs->next[state];
    const ControlState *w = vs->list[state];
    ControlStep *steps = NULL;
    unsigned only = thread_inside(vs, w);
    for (unsigned t = 0; t < vec_len(vs->system->threads); t++) {
        const unsigned *from = vs->block_steps->starting_at[t][w->locations[t]];
        for (size_t i = 0; i < vec_len(from) && (only == NONE || only == t); i++) take(vs, state, &vs->block_steps->list[from[i]], &steps);
    }
    vs->unfolded[state] = true;
    return vs->next[state] = steps;
}

size_t control_states_count(const ControlStates *vs) { return vec_len(vs->list); }
const ControlState *control_states_get(const ControlStates *vs, unsigned state) {
    ensure(state < vec_len(vs->list));
    return vs->list[state];
}

const Expr *control_states_constants(const ControlStates *vs, unsigned state) {
    ensure(state < vec_len(vs->list));
    const System *s = vs->system;
    const Expr **all = NULL, *e = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (vs->list[state]->values[v]) vec_push(all, expr_eq(s->exprs, system_expr(s, v), vs->list[state]->values[v]));
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

/* ---- commuting block steps ---- */

const Expr *control_states_swap(ControlStates *vs, unsigned state, unsigned first, unsigned second) {
    ensure(state < vec_len(vs->list));
    const BlockStep *a = &vs->block_steps->list[first], *b = &vs->block_steps->list[second];
    const ControlState *w = vs->list[state];
    bool **out = vs->blocks->out;
    bool free = thread_inside(vs, w) == NONE && out[a->thread][a->step.target] && out[b->thread][b->step.target];
    if (!free) return expr_bool(vs->system->exprs, false);
    return put_in(vs, w, block_steps_swap(vs->system, vs->relevant, a, b));
}

/* ---- control states that need not be explored ---- */

static bool has(const uint64_t *bits, unsigned i) { return bits[i / 64] >> i % 64 & 1; }

/* The block steps that threads can still take while the frozen threads stay where they are */
typedef struct Future {
    bool *frozen;         /* vecs; by thread */
    const Expr **lasting; /* by variable: a constant that stays, or NULL */
    bool *block_steps;    /* by block step: a thread that is not frozen can still take it */
    bool error;
} Future;

/* Adds the block steps of a thread from its location on, except those that the lasting constants exclude. */
static void add_future(ControlStates *vs, Future *f, unsigned t, unsigned location) {
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(vs->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work)) {
        const unsigned *from = vs->block_steps->starting_at[t][vec_pop(work)];
        for (size_t i = 0; i < vec_len(from); i++) {
            const BlockStep *l = &vs->block_steps->list[from[i]];
            if (expr_is_false(system_with(vs->system, f->lasting, l->step.guard))) continue;
            f->block_steps[from[i]] = true;
            f->error |= block_step_is_bad(vs->block_steps, l);
            if (!seen[l->step.target]) vec_push(work, l->step.target);
            seen[l->step.target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Computes the largest set of lasting constants: no thread that is not frozen writes them, by the block steps that they do not exclude. */
static void find_future(ControlStates *vs, const ControlState *w, Future *f) {
    bool changed = true;
    for (unsigned v = 0; v < vec_len(f->lasting); v++) f->lasting[v] = w->values[v];
    while (changed) {
        changed = false;
        f->error = false;
        memset(f->block_steps, 0, vec_len(f->block_steps) * sizeof *f->block_steps);
        for (unsigned u = 0; u < vec_len(f->frozen); u++)
            if (!f->frozen[u]) add_future(vs, f, u, w->locations[u]);
        for (unsigned l = 0; l < vec_len(f->block_steps); l++) {
            const Update *updates = f->block_steps[l] ? vs->block_steps->list[l].step.updates : NULL;
            for (size_t k = 0; k < vec_len(updates); k++) {
                changed |= f->lasting[updates[k].variable] != NULL;
                f->lasting[updates[k].variable] = NULL;
            }
        }
    }
}

/* True if all steps of the thread here are asleep, and end where other threads may run. */
static bool all_asleep(const ControlStates *vs, const ControlStep *steps, unsigned t, unsigned location, const uint64_t *sleep) {
    for (size_t i = 0; i < vec_len(steps); i++) {
        const BlockStep *l = &vs->block_steps->list[steps[i].block_step];
        if (l->thread == t && !(has(sleep, steps[i].block_step) && vs->blocks->out[t][l->step.target])) return false;
    }
    return vec_len(vs->block_steps->starting_at[t][location]) > 0;
}

/* True if a block step of the thread here is not disjoint from some block step of the future, so that it may wake up. */
static bool may_wake(const ControlStates *vs, const Future *f, unsigned t, unsigned location) {
    const unsigned *from = vs->block_steps->starting_at[t][location];
    for (size_t i = 0; i < vec_len(from); i++)
        for (unsigned l = 0; l < vec_len(f->block_steps); l++)
            if (f->block_steps[l] && !block_steps_disjoint(&vs->block_steps->list[from[i]], &vs->block_steps->list[l])) return true;
    return false;
}

bool control_states_is_covered_by_sleep(ControlStates *vs, unsigned state, const uint64_t *sleep) {
    ensure(state < vec_len(vs->list));
    const ControlState *w = vs->list[state];
    size_t nt = vec_len(vs->system->threads);
    Future f = {0};
    uint64_t key = hash_word(state + 1), known = 0;
    bool some = false, changed = true;
    if (thread_inside(vs, w) != NONE) return false;
    const ControlStep *steps = control_states_next(vs, state);
    for (unsigned t = 0; t < nt; t++) {
        vec_push(f.frozen, all_asleep(vs, steps, t, w->locations[t], sleep));
        some |= f.frozen[t];
        key = hash_word(key ^ (2 * t + f.frozen[t]));
    }
    if (some && !map_get(vs->dead, key, &known)) {
        vec_resize(f.lasting, vec_len(vs->system->variables));
        vec_resize(f.block_steps, vec_len(vs->block_steps->list));
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
    vec_free(f.block_steps);
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
        vec_push(values, vs->tracked[v] ? value_of(s->exprs, s->variables[v].init) : NULL);
    }
    state_for(vs, locations, values);
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

ControlStates *control_states_new(const System *s, const Blocks *b, const BlockSteps *block_steps) {
    ControlStates *vs = zeroed(1, sizeof *vs);
    vs->system = s;
    vs->blocks = b;
    vs->block_steps = block_steps;
    vs->tracked = finite_valued_variables(s);
    vs->relevant = system_relevant(s);
    begin(vs);
    return vs;
}

void control_states_free(ControlStates *vs) {
    if (!vs) return;
    end(vs);
    vec_free(vs->tracked);
    vec_free(vs->tentative);
    vec_free(vs->relevant);
    free(vs);
}

/* ---- other sets of tracked variables ---- */

void control_states_track_status(ControlStates *vs) {
    memset(vs->tracked, 0, vec_len(vs->tracked) * sizeof *vs->tracked);
    for (size_t t = 0; t < vec_len(vs->system->threads); t++)
        if (vs->system->threads[t].status != NONE) vs->tracked[vs->system->threads[t].status] = true;
    end(vs);
    begin(vs);
}

void control_states_track_all(ControlStates *vs) {
    vs->all = true;
    vec_resize(vs->tentative, vec_len(vs->tracked));
    for (unsigned v = 0; v < vec_len(vs->tracked); v++) vs->tracked[v] = vs->tentative[v] = vs->relevant[v];
    end(vs);
    begin(vs);
}

enum { FEW = 4 };

typedef struct Domain {
    const Expr *constants[FEW];
    unsigned n;
    bool other; /* somewhere its value is no constant */
} Domain;

static unsigned size_of(const Domain *d) { return d->n + d->other; }

/* Adds the constants of the control state to the domains. True if some tentative variable had too many, and is no longer tracked. */
static bool add_domains(ControlStates *vs, unsigned state, Domain *domains) {
    bool any = false;
    for (unsigned v = 0; v < vec_len(vs->tracked); v++) {
        const Expr *value = vs->list[state]->values[v];
        Domain *d = &domains[v];
        unsigned k = 0;
        if (!vs->tentative[v]) continue;
        if (!value) {
            d->other |= system_is_live(vs->system, vs->list[state]->locations, v);
            continue;
        }
        while (k < d->n && d->constants[k] != value) k++;
        if (k < d->n) continue;
        if (d->n < FEW) d->constants[d->n++] = value;
        else vs->tracked[v] = vs->tentative[v] = false, any = true;
    }
    return any;
}

/* Stops to track the tentative variable with the most constants. False if there is no such variable. */
static bool give_up_one(ControlStates *vs, const Domain *domains) {
    unsigned worst = NONE;
    for (unsigned v = 0; v < vec_len(vs->tracked); v++)
        if (vs->tentative[v] && size_of(&domains[v]) > 1 && (worst == NONE || size_of(&domains[v]) > size_of(&domains[worst]))) worst = v;
    if (worst != NONE) vs->tracked[worst] = vs->tentative[worst] = false;
    return worst != NONE;
}

/* Unfolds all control states, up to `most`. False if a variable was given up, so that the graph must be unfolded anew. */
static bool unfold_all(ControlStates *vs, size_t most) {
    Domain *domains = NULL;
    bool again = false;
    vec_resize(domains, vec_len(vs->tracked));
    again = add_domains(vs, 0, domains);
    for (unsigned i = 0, met = 1; i < vec_len(vs->list) && !again; i++) {
        if (vec_len(vs->list) > most) {
            again = give_up_one(vs, domains);
            break;
        }
        control_states_next(vs, i);
        for (; met < vec_len(vs->list) && !again; met++) again = add_domains(vs, met, domains);
    }
    vec_free(domains);
    return !again;
}

void control_states_track_small(ControlStates *vs, size_t most) {
    bool some = false;
    vec_resize(vs->tentative, vec_len(vs->tracked));
    for (unsigned v = 0; v < vec_len(vs->tracked); v++) {
        vs->tentative[v] = !vs->tracked[v] && vs->relevant[v] && vs->system->variables[v].symbol->sort->kind != SORT_ARRAY;
        vs->tracked[v] |= vs->tentative[v];
        some |= vs->tentative[v];
    }
    if (!some) return;
    do {
        end(vs);
        vs->next = NULL, vs->list = NULL, vs->unfolded = NULL, vs->chain = NULL;
        begin(vs);
    } while (!unfold_all(vs, most));
}
