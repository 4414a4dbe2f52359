/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a HAVOC is followed, without regard to control flow, through plain copies (also zero- and sign-extended
   ones) into variables, thread arguments and results. If all these variables are used in comparisons with
   constants only, the constants cut the value's range into intervals, and one value of each stands for all. */
#include "engine/explicit/inputs.h"
#include "base/die.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>

struct Inputs {
    const Program *program;
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

static void add_value(u128 **values, u128 v) {
    for (size_t i = 0; i < vec_len(*values); i++)
        if ((*values)[i] == v) return;
    vec_push(*values, v);
}

static void collect(Inputs *in, const Expr *e, Map *seen) {
    if (map_get(seen, map_key(e), NULL)) return;
    map_put(seen, map_key(e), 1);
    if (e->op == OP_CONST && e->sort->kind != SORT_BOOL && vec_len(in->constants) < MANY_CONSTANTS)
        add_value(&in->constants, e->value);
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

/* Call visit for every expression of the program; of guards and ASSUMEs first. */
static void each_action(const Program *p, void (*visit)(void *, const Template *, const Action *), void *context) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            visit(context, p->templates[t], &p->templates[t]->actions[a]);
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
    Inputs *in = calloc(1, sizeof *in);
    if (!in) die("out of memory");
    in->program = p;
    in->lists = map_new();
    Visit v = {in, map_new()};
    each_action(p, collect_guard, &v); /* what decides is the most interesting */
    each_action(p, collect_instrs, &v);
    map_free(v.seen);
    return in;
}

void inputs_free(Inputs *in) {
    if (!in) return;
    for (size_t i = 0; i < vec_len(in->owned); i++) {
        vec_free(in->owned[i]->values);
        free(in->owned[i]);
    }
    vec_free(in->owned);
    vec_free(in->constants);
    map_free(in->lists);
    free(in);
}

/* ---- where a value goes ---- */

typedef struct Flow {
    const Program *program;
    const Variable **carriers; /* a vec: variables that may hold the value */
    u128 *cuts;                /* a vec: first values of intervals */
    unsigned width;
    bool has_sign; /* the sign matters */
    bool lost;     /* it is used otherwise */
} Flow;

static bool carries(const Flow *f, const Variable *v) {
    for (size_t i = 0; i < vec_len(f->carriers); i++)
        if (f->carriers[i] == v) return true;
    return false;
}

static void add_carrier(Flow *f, const Variable *v) {
    if (!carries(f, v)) vec_push(f->carriers, v);
}

static u128 mask_of(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }

/* Is e the value itself, perhaps extended? */
static bool is_value(Flow *f, const Expr *e) {
    while (e->op == OP_ZEXT || e->op == OP_SEXT) {
        if (e->op == OP_SEXT) f->has_sign = true;
        e = e->args[0];
    }
    const Variable *v = expr_variable(e);
    return v && carries(f, v);
}

static bool is_comparison(Op op) {
    return op == OP_EQ || op == OP_ULT || op == OP_ULE || op == OP_SLT || op == OP_SLE;
}

static void look(Flow *f, const Expr *e) {
    const Variable *v = expr_variable(e);
    if (f->lost) return;
    if (v && carries(f, v)) {
        f->lost = true;
        return;
    }
    if (is_comparison(e->op) && e->args[0]->sort->kind == SORT_BV) {
        for (unsigned i = 0; i < 2; i++) {
            if (!expr_is_const(e->args[1 - i]) || !is_value(f, e->args[i])) continue;
            u128 c = e->args[1 - i]->value & mask_of(f->width);
            add_value(&f->cuts, c);
            add_value(&f->cuts, (c + 1) & mask_of(f->width));
            if (e->op == OP_SLT || e->op == OP_SLE) f->has_sign = true;
            return;
        }
    }
    for (unsigned i = 0; i < e->nargs; i++) look(f, e->args[i]);
}

static void look_expression(void *context, const Expr *e) { look(context, e); }

static void look_join(Flow *f, const Instr *i) {
    for (size_t t = 0; t < vec_len(f->program->templates); t++) {
        const Variable *result = f->program->templates[t]->result;
        if (result && i->target && carries(f, result)) add_carrier(f, i->target);
    }
}

static void look_action(void *context, const Template *t, const Action *a) {
    Flow *f = context;
    (void)t;
    look(f, a->guard);
    for (size_t k = 0; k < vec_len(a->instrs) && !f->lost; k++) {
        const Instr *i = &a->instrs[k];
        if (i->kind == INSTR_ASSIGN && is_value(f, i->value)) {
            add_carrier(f, i->target);
        } else if (i->kind == INSTR_CREATE && is_value(f, i->value)) {
            const Variable *argument = f->program->templates[i->template_]->argument;
            if (argument) add_carrier(f, argument);
        } else {
            instr_expressions(i, look_expression, f);
        }
        if (i->cell && carries(f, i->cell)) f->lost = true;
        if (i->kind == INSTR_JOIN) look_join(f, i);
    }
}

/* Can the variable's value be told by a few? Fill *values with these. */
static bool few_values(const Program *p, const Variable *v, unsigned width, u128 **values) {
    Flow f = {.program = p, .width = width};
    add_carrier(&f, v);
    for (size_t known = 0; known != vec_len(f.carriers) && !f.lost;) {
        known = vec_len(f.carriers);
        each_action(p, look_action, &f);
    }
    if (!f.lost) {
        add_value(values, 0);
        for (size_t i = 0; i < vec_len(f.cuts); i++) add_value(values, f.cuts[i]);
        if (f.has_sign) add_value(values, (u128)1 << (width - 1));
    }
    vec_free(f.cuts);
    vec_free(f.carriers);
    return !f.lost;
}

/* ---- lists ---- */

static List *new_list(Inputs *in, uint64_t key) {
    List *l = calloc(1, sizeof *l);
    if (!l) die("out of memory");
    vec_push(in->owned, l);
    map_put(in->lists, key, (uintptr_t)l);
    return l;
}

enum { SAMPLE = 24 };

static void sample(const Inputs *in, List *l, const Sort *sort) {
    unsigned width = sort->kind == SORT_BV ? sort->width : 128;
    u128 mask = mask_of(width), top = (u128)1 << (width - 1);
    for (u128 v = 0; v < 3; v++) add_value(&l->values, v);
    add_value(&l->values, mask);
    for (size_t i = 0; i < vec_len(in->constants) && vec_len(l->values) < SAMPLE; i++)
        for (unsigned d = 0; d < 3; d++) add_value(&l->values, (in->constants[i] + d - 1) & mask);
    if (sort->kind == SORT_BV) {
        add_value(&l->values, top);
        add_value(&l->values, top - 1);
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
    if (sort->kind == SORT_BV && few_values(in->program, i->target, sort->width, &values)) {
        List *l = new_list(in, map_key(i));
        l->values = values;
        l->complete = true;
        return l;
    }
    const List *l = sampled(in, sort);
    map_put(in->lists, map_key(i), (uintptr_t)l);
    return l;
}

Candidates inputs_candidates(Inputs *in, const Choice *c) {
    if (c->kind == CHOICE_ONE_OF) return (Candidates){.count = c->count, .complete = true};
    if (c->sort->kind == SORT_BOOL) return (Candidates){.count = 2, .complete = true};
    const List *l = NULL;
    const Sort *scalar = c->sort;
    while (scalar->kind == SORT_ARRAY) scalar = scalar->element;
    if (c->instr && c->instr->kind == INSTR_HAVOC && c->sort->kind == SORT_BV) l = of_havoc(in, c->instr);
    if (!(l && l->complete) && c->sort->kind == SORT_BV && c->sort->width <= ALL_OF_WIDTH)
        return (Candidates){.count = UINT64_C(1) << c->sort->width, .complete = true};
    if (!l) l = sampled(in, scalar);
    return (Candidates){.values = l->values, .count = vec_len(l->values), .complete = l->complete};
}

u128 inputs_random(Inputs *in, const Choice *c, uint64_t *random) {
    Candidates all = inputs_candidates(in, c);
    uint64_t r = random_next(random), way = r % 16;
    r >>= 8;
    if (all.complete || way >= 8) {
        uint64_t k = r % all.count;
        return all.values ? all.values[k] : k;
    }
    if (way < 6) return r % 6;
    if (way == 6) return r % 1024;
    return (u128)random_next(random) << 64 | random_next(random);
}
