/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a lower bound of each variable that every assignment in the program keeps. The bounds fall from "no value" in rounds over all
   assignments. A variable whose bound still falls after ROUNDS rounds has no bound. Sums only count if they cannot wrap around. */
#include "analysis/lower_bounds.h"
#include "base/map.h"
#include <stdlib.h>

#define NO_VALUE INT64_MAX /* the variable was never assigned */
#define NO_BOUND INT64_MIN
enum { ROUNDS = 6 };

struct LowerBounds {
    const Program *program;
    Map *index;    /* Symbol → index in list, + 1 */
    int64_t *list; /* a vec of bounds */
    unsigned round;
    bool changed;
};

static int64_t *bound_of(const LowerBounds *b, const Symbol *s) {
    size_t i = (size_t)(uintptr_t)map_find(b->index, s);
    return i ? &b->list[i - 1] : NULL;
}

static int64_t least(const LowerBounds *, const Expr *);

static int64_t least_of_type(unsigned width) { return INT64_MIN >> (64 - width); }

/* Returns the least value of a sum. A sum that cannot wrap around is at least the least value of its type, which counts as no bound. */
static int64_t least_sum(const LowerBounds *b, const Expr *e) {
    int64_t x = least(b, e->args[0]), y = least(b, e->args[1]), sum;
    if (x == NO_VALUE || y == NO_VALUE) return NO_VALUE;
    if (x == NO_BOUND || y == NO_BOUND || !(e->flags & FLAG_NSW) || __builtin_add_overflow(x, y, &sum)) return NO_BOUND;
    return sum > least_of_type(e->sort->width) ? sum : NO_BOUND;
}

static int64_t least(const LowerBounds *b, const Expr *e) {
    int64_t x, y;
    if (e->sort->kind != SORT_BV || e->sort->width > 64) return NO_BOUND;
    switch (e->op) {
    case OP_CONST: return (int64_t)((uint64_t)e->value << (64 - e->sort->width)) >> (64 - e->sort->width);
    case OP_SYMBOL: {
        const int64_t *k = bound_of(b, e->symbol);
        return k ? *k : NO_BOUND;
    }
    case OP_ADD: return least_sum(b, e);
    case OP_SEXT: return least(b, e->args[0]);
    case OP_ZEXT: x = least(b, e->args[0]); return x < 0 ? 0 : x;
    case OP_ITE:
        x = least(b, e->args[1]);
        y = least(b, e->args[2]);
        return x < y ? x : y;
    default: return NO_BOUND;
    }
}

/* Lowers the bound of a variable. */
static void lower(LowerBounds *b, const Variable *v, int64_t to) {
    int64_t *k = v ? bound_of(b, v->symbol) : NULL;
    if (!k || to >= *k) return;
    *k = b->round < ROUNDS ? to : NO_BOUND;
    b->changed = true;
}

static void visit(LowerBounds *b, const Instr *i) {
    lower(b, i->target, i->kind == INSTR_ASSIGN ? least(b, i->value) : NO_BOUND);
    lower(b, i->cell, NO_BOUND);
}

static void round_of_all(LowerBounds *b) {
    const Program *p = b->program;
    b->changed = false;
    program_each_action(const Action, action, p) {
        const Instr *list = action->instrs;
        for (size_t i = 0; i < vec_len(list); i++) visit(b, &list[i]);
    }
}

static void add(LowerBounds *b, const Variable *v, int64_t start) {
    vec_push(b->list, start);
    map_set(b->index, v->symbol, (void *)(uintptr_t)vec_len(b->list));
}

LowerBounds *lower_bounds_new(const Program *p) {
    LowerBounds *b = zeroed(1, sizeof *b);
    b->program = p;
    b->index = map_new();
    for (size_t g = 0; g < vec_len(p->globals); g++) add(b, p->globals[g], p->globals[g]->init ? least(b, p->globals[g]->init) : NO_BOUND);
    vec_each(const Template *, template_, p->templates)
        vec_each(const Variable *, v, template_->locals) {
            /* threads may get any number, argument and result */
            bool given = v == template_->self || v == template_->argument || v == template_->result;
            add(b, v, given ? NO_BOUND : NO_VALUE);
        }
    do round_of_all(b);
    while (b->round++, b->changed);
    return b;
}

void lower_bounds_free(LowerBounds *b) {
    map_free(b->index);
    vec_free(b->list);
    free(b);
}

bool lower_bound(const LowerBounds *b, const Variable *v, int64_t *bound) {
    const int64_t *k = bound_of(b, v->symbol);
    if (!k || *k == NO_BOUND || *k == NO_VALUE || v->sort->kind != SORT_BV || v->sort->width > 64) return false;
    *bound = *k;
    return *k > least_of_type(v->sort->width);
}
