/* SPDX-License-Identifier: Apache-2.0 */
/* A thread adds at most k to s whenever it adds one to f, and f is not negative then. Examples of f are an index into a queue and the
   counter of a loop. The potential s - k * max(0, f) then has a largest value at each location: the length of the longest path to it, if no
   cycle has a positive length. The lower bound is the upper bound of -s. The bounds are guesses that the caller must prove. */
#include "analysis/sum_bounds.h"

typedef struct Sum {
    const Intervals *spans;
    const System *system;
    unsigned thread, variable, counter;
    bool below; /* for the lower bound, everything holds for -s */
    i128 factor;
} Sum;

/* Returns the greatest value of e, or of -e for the lower bound. */
static i128 most(const Sum *s, const Transition *x, const Expr *e) {
    Span span = intervals_of(s->spans, s->thread, x, e);
    return s->below ? -span.lo : span.hi;
}

/* Returns what the transition adds to the sum; NULL if it sets the sum to another value. */
static const Expr *addend(const Sum *s, const Expr *value) {
    const Expr *v = system_expr(s->system, s->variable);
    if (value->op == OP_ADD && value->args[0] == v) return value->args[1];
    if (value->op == OP_ADD && value->args[1] == v) return value->args[0];
    if (value->op == OP_SUB && value->args[0] == v) return expr_2(s->system->exprs, OP_SUB, expr_int(s->system->exprs, 0), value->args[1]);
    return value == v ? expr_int(s->system->exprs, 0) : NULL;
}

/* Returns by how much the counter grows at least where it is not negative; -1 if it may fall. */
static i128 counted(const Sum *s, const Transition *x) {
    const Expr *f = system_expr(s->system, s->counter), *value = transition_update(x, s->counter);
    if (!value) return 0;
    bool adds = value->op == OP_ADD && (value->args[0] == f || value->args[1] == f);
    const Expr *by = adds ? value->args[value->args[0] == f ? 1 : 0] : NULL;
    if (!by || !expr_is_const(by) || (i128)by->value < 0) return -1;
    return intervals_of(s->spans, s->thread, x, f).lo >= 0 ? (i128)by->value : 0;
}

/* Finds the factor: the most that a transition adds. False if there is no bound of this form. */
static bool find_factor(Sum *s) {
    const SystemThread *t = &s->system->threads[s->thread];
    bool counts = false;
    s->factor = 0;
    vec_each_at(const Transition, x, t->transitions) {
        const Expr *value = transition_update(x, s->variable), *by = value ? addend(s, value) : NULL;
        i128 n = counted(s, x), m = by ? most(s, x, by) : 0;
        if (n < 0 || m >= (i128)1 << 40) return false;
        counts |= n > 0;
        if (m > s->factor) s->factor = m;
    }
    return counts && s->factor > 0;
}

typedef struct Potential {
    bool known;
    i128 value;
} Potential;

static bool raise_to(Potential *p, i128 value) {
    if (p->known && p->value >= value) return false;
    *p = (Potential){true, value};
    return true;
}

/* Propagates the potential along a transition. True if the potential of the target grows. */
static bool relax(const Sum *s, const Transition *x, Potential *at) {
    const Expr *value = transition_update(x, s->variable), *by = value ? addend(s, value) : NULL;
    if (!at[x->source].known) return false;
    if (value && !by) return raise_to(&at[x->target], most(s, x, value));
    i128 gain = (by ? most(s, x, by) : 0) - s->factor * counted(s, x);
    return raise_to(&at[x->target], at[x->source].value + gain);
}

/* Returns the largest potential at each location, a vec; NULL if it grows in a cycle, or has no bound. */
static Potential *potentials(const Sum *s) {
    const SystemThread *t = &s->system->threads[s->thread];
    Span first = intervals_at_entry(s->spans, s->thread, s->variable);
    if (s->below ? !span_has_lo(first) : !span_has_hi(first)) return NULL;
    Potential *at = NULL;
    vec_resize(at, vec_len(t->locations));
    at[t->entry] = (Potential){true, s->below ? -first.lo : first.hi};
    bool changed = true;
    for (size_t round = 0; round <= vec_len(t->locations) && changed; round++) {
        changed = false;
        for (size_t i = 0; i < vec_len(t->transitions); i++) changed |= relax(s, &t->transitions[i], at);
    }
    for (size_t l = 0; l < vec_len(at); l++) changed |= at[l].known && at[l].value >= SPAN_END;
    if (changed) vec_free(at);
    return at;
}

static const Expr *claim(const Sum *s, const Potential *p) {
    Exprs *x = s->system->exprs;
    const Expr *v = system_expr(s->system, s->variable), *f = system_expr(s->system, s->counter), *zero = expr_int(x, 0);
    if (!p->known) return expr_bool(x, true);
    if (s->below) v = expr_2(x, OP_SUB, zero, v);
    const Expr *times = expr_ite(x, expr_2(x, OP_SLE, zero, f), f, zero);
    const Expr *bound = expr_2(x, OP_ADD, expr_2(x, OP_MUL, times, expr_int(x, s->factor)), expr_int(x, p->value));
    return expr_2(x, OP_SLE, v, bound);
}

static void add_bound(Sum *s, SumBound **list) {
    Potential *at = find_factor(s) ? potentials(s) : NULL;
    SumBound bound = {0};
    for (size_t l = 0; l < vec_len(at); l++) vec_push(bound.facts, claim(s, &at[l]));
    if (at) vec_push(*list, bound);
    vec_free(at);
}

SumBound *sum_bounds(const Intervals *p, const System *system, unsigned thread, unsigned variable) {
    SumBound *list = NULL;
    if (!writers_own(intervals_writers(p), thread, variable) || system->variables[variable].symbol->sort->kind != SORT_INT) return NULL;
    for (unsigned c = 0; c < vec_len(system->variables); c++) {
        if (c == variable || !writers_own(intervals_writers(p), thread, c) || system->variables[c].symbol->sort->kind != SORT_INT) continue;
        Sum s = {.spans = p, .system = system, .thread = thread, .variable = variable, .counter = c};
        add_bound(&s, &list);
        s.below = true;
        add_bound(&s, &list);
    }
    return list;
}

void sum_bounds_free(SumBound *list) {
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].facts);
    vec_free(list);
}
