/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/explicit/inputs.h"
#include "engine/explicit/values.h"
#include "base/map.h"
#include <stdlib.h>

struct Inputs {
    const Program *program;
    PointsTo *pointsto; /* NULL until it is needed */
    bool all_small;
    u128 *constants;     /* a vec: of the program, cut to 64 bits, each once */
    Map *lists;          /* Instr → List *, and width → List * for samples */
    struct List **owned; /* a vec */
};

typedef struct List {
    u128 *values;
    bool complete;
} List;

/* ---- constants of the program ---- */

enum { MANY_CONSTANTS = 64, ALL_OF_WIDTH = 8 };

static void collect(Inputs *in, const Expr *e, Map *seen) {
    if (map_get(seen, map_key(e), NULL)) return;
    map_put(seen, map_key(e), 1);
    if (e->op == OP_CONST && e->sort->kind != SORT_BOOL && vec_len(in->constants) < MANY_CONSTANTS) values_add(&in->constants, e->value);
    for (unsigned i = 0; i < e->nargs; i++) collect(in, e->args[i], seen);
}

typedef struct Visit {
    Inputs *inputs;
    Map *seen;
} Visit;

static void collect_expression(void *context, const Expr *e) {
    Visit *v = context;
    collect(v->inputs, e, v->seen);
}

/* Calls visit for every action of the program. */
static void each_action(const Program *p, void (*visit)(void *, const Template *, const Action *), void *context) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) visit(context, p->templates[t], &p->templates[t]->actions[a]);
}

static void collect_guard(void *context, const Template *t, const Action *a) {
    (void)t;
    collect_expression(context, a->guard);
}

static void collect_instrs(void *context, const Template *t, const Action *a) {
    (void)t;
    for (size_t i = 0; i < vec_len(a->instrs); i++) instr_expressions(&a->instrs[i], collect_expression, context);
}

Inputs *inputs_new(const Program *p) {
    Inputs *in = zeroed(1, sizeof *in);
    in->program = p;
    in->lists = map_new();
    Visit v = {in, map_new()};
    each_action(p, collect_guard, &v); /* guards first: their constants decide the control flow, and the number of constants is limited */
    each_action(p, collect_instrs, &v);
    map_free(v.seen);
    return in;
}

void inputs_try_all_small(Inputs *in) { in->all_small = true; }

void inputs_free(Inputs *in) {
    if (!in) return;
    for (size_t i = 0; i < vec_len(in->owned); i++) {
        vec_free(in->owned[i]->values);
        free(in->owned[i]);
    }
    vec_free(in->owned);
    if (in->pointsto) pointsto_free(in->pointsto);
    vec_free(in->constants);
    map_free(in->lists);
    free(in);
}

/* ---- lists ---- */

static List *new_list(Inputs *in, uint64_t key) {
    List *l = zeroed(1, sizeof *l);
    vec_push(in->owned, l);
    map_put(in->lists, key, (uintptr_t)l);
    return l;
}

enum { SAMPLE = 24 };

static void sample(const Inputs *in, List *l, const Sort *sort) {
    unsigned width = sort->kind == SORT_BV ? sort->width : 128;
    u128 mask = values_mask(width), top = (u128)1 << (width - 1);
    for (u128 v = 0; v < 3; v++) values_add(&l->values, v);
    values_add(&l->values, mask);
    for (size_t i = 0; i < vec_len(in->constants) && vec_len(l->values) < SAMPLE; i++)
        for (unsigned d = 0; d < 3; d++) values_add(&l->values, (in->constants[i] + d - 1) & mask);
    if (sort->kind == SORT_BV) {
        values_add(&l->values, top);
        values_add(&l->values, top - 1);
    }
}

static const List *sampled(Inputs *in, const Sort *sort) {
    uint64_t found, key = map_key(sort);
    if (map_get(in->lists, key, &found)) return (const List *)(uintptr_t)found;
    List *l = new_list(in, key);
    sample(in, l, sort);
    return l;
}

static const List *of_havoc(Inputs *in, const Instr *i) {
    uint64_t found;
    if (map_get(in->lists, map_key(i), &found)) return (const List *)(uintptr_t)found;
    const Sort *sort = i->target->sort;
    u128 *values = NULL;
    if (!in->pointsto) in->pointsto = pointsto_new(in->program);
    if (sort->kind == SORT_BV && values_of_input(in->program, in->pointsto, i, &values)) {
        List *l = new_list(in, map_key(i));
        l->values = values;
        l->complete = true;
        return l;
    }
    const List *l = sampled(in, sort);
    map_put(in->lists, map_key(i), (uintptr_t)l);
    return l;
}

static const List *of_variable(Inputs *in, const Variable *v) {
    uint64_t found;
    if (map_get(in->lists, map_key(v), &found)) return (const List *)(uintptr_t)found;
    u128 *values = NULL;
    if (values_by_flow(in->program, v, &values)) {
        List *l = new_list(in, map_key(v));
        l->values = values;
        l->complete = true;
        return l;
    }
    const List *l = sampled(in, v->sort);
    map_put(in->lists, map_key(v), (uintptr_t)l);
    return l;
}

Candidates inputs_candidates(Inputs *in, const Choice *c) {
    if (c->kind == CHOICE_ONE_OF) return (Candidates){.count = c->count, .complete = true};
    if (c->kind == CHOICE_COUNT) return (Candidates){.count = 1}; /* only arrays with the same value everywhere are tried */
    if (c->sort->kind == SORT_BOOL) return (Candidates){.count = 2, .complete = true};
    const List *l = NULL;
    if (c->instr && c->instr->kind == INSTR_HAVOC && c->sort->kind == SORT_BV && c->instr->target->sort == c->sort && !in->all_small)
        l = of_havoc(in, c->instr);
    if (c->variable && !c->variable->global && c->variable->sort == c->sort && c->sort->kind == SORT_BV && !in->all_small)
        l = of_variable(in, c->variable);
    if (!(l && l->complete) && c->sort->kind == SORT_BV && c->sort->width <= ALL_OF_WIDTH)
        return (Candidates){.count = UINT64_C(1) << c->sort->width, .complete = true};
    if (!l) l = sampled(in, c->sort);
    if (!vec_len(l->values)) return (Candidates){.count = 1, .complete = l->complete}; /* the value has no effect: 0 represents all */
    return (Candidates){.values = l->values, .count = vec_len(l->values), .complete = l->complete};
}

u128 inputs_random(Inputs *in, const Choice *c, uint64_t *random) {
    Candidates all = inputs_candidates(in, c);
    uint64_t r = random_next(random), way = r % 16;
    r >>= 8;
    if (c->kind == CHOICE_COUNT) return r % 4;
    if (all.complete || way >= 8) {
        uint64_t k = r % all.count;
        return all.values ? all.values[k] : k;
    }
    if (way < 6) return r % 6;
    if (way == 6) return r % 1024;
    return (u128)random_next(random) << 64 | random_next(random);
}

int64_t inputs_number(Inputs *in, unsigned width, uint64_t *random) {
    const List *l = sampled(in, sort_bv(in->program->exprs, width));
    uint64_t r = random_next(random);
    uint64_t value = (uint64_t)(r % 4 ? l->values[(r >> 8) % vec_len(l->values)] : random_next(random));
    return (int64_t)(value << (64 - width)) >> (64 - width);
}
