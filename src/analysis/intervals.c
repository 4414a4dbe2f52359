/* SPDX-License-Identifier: Apache-2.0 */
/* Data flow of intervals from the entry of each thread: joined where ways meet, widened after a few rounds. The interval of a queue is the
   join of the values that are put into it. A queue is empty at first, so a value that is read from it is not known yet. All results are
   guesses. The pass passes/system/exclude_errors.c proves them. */
#include "analysis/intervals.h"
#include "system/compose.h"
#include <stdlib.h>

enum { MOST_ENTRIES = 2000000, MOST_JOINS = 6, MOST_ROUNDS = 40, LARGEST = 60, MOST_KNOWN = 24 };

typedef struct Place {
    Span *spans;        /* a vec, by variable; NULL for a location that is not reached */
    const Expr **known; /* a vec of further conditions that hold at the location */
    unsigned joins;
} Place;

struct Intervals {
    const System *system;
    ExclusiveWriters *writers;
    Place **places; /* by thread and location */
    Queue *queues;
}; /* A location that is reached has a span of every variable. No span exceeds SPAN_END. */

static const Span whole = {-SPAN_END, SPAN_END}, nothing = {1, 0};

static bool is_nothing(Span s) { return s.lo > s.hi; }
static Span of_number(i128 n) { return (Span){n, n}; }

static Span hull(Span a, Span b) {
    if (is_nothing(a)) return b;
    if (is_nothing(b)) return a;
    return (Span){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static Span meet(Span a, Span b) { return (Span){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi}; }

static Span clamp(Span s) { return is_nothing(s) ? s : meet(s, whole); }

static bool same(Span a, Span b) { return a.lo == b.lo && a.hi == b.hi; }

/* ---- expressions ---- */

typedef struct Eval {
    const Intervals *intervals;
    unsigned thread, location;
    const Span *at;           /* by variable; NULL if nothing is known */
    const Expr *const *guard; /* a vec: conjuncts of the guard, and known conditions of the location */
} Eval;

/* Returns the span of a constant or of a variable, without conditions. */
static Span of_leaf(const Eval *v, const Expr *e) {
    unsigned variable = e->op == OP_SYMBOL ? system_variable(v->intervals->system, e->symbol) : NONE;
    if (e->sort->kind != SORT_INT) return whole;
    if (expr_is_const(e)) return of_number((i128)e->value);
    return variable != NONE && v->at && writers_own_at(v->intervals->writers, v->thread, v->location, variable) ? v->at[variable] : whole;
}

/* Returns the span that a condition implies for e. */
static Span by_condition(const Eval *v, const Expr *c, const Expr *e) {
    if (c->op != OP_SLE && c->op != OP_SLT && c->op != OP_EQ) return whole;
    unsigned k = c->args[0] == e ? 0 : 1;
    if (c->args[k] != e) return whole;
    Span other = of_leaf(v, c->args[1 - k]);
    if (is_nothing(other) || c->op == OP_EQ) return other;
    if (k == 0) return clamp((Span){-SPAN_END, c->op == OP_SLT ? other.hi - 1 : other.hi});
    return clamp((Span){c->op == OP_SLT ? other.lo + 1 : other.lo, SPAN_END});
}

static Span by_guard(const Eval *v, const Expr *e) {
    Span s = whole;
    for (size_t i = 0; i < vec_len(v->guard); i++) s = meet(s, by_condition(v, v->guard[i], e));
    return s;
}

static bool has_condition(const Eval *v, Op op, const Expr *a, const Expr *b) {
    for (size_t i = 0; i < vec_len(v->guard); i++)
        if (v->guard[i]->op == op && v->guard[i]->args[0] == a && v->guard[i]->args[1] == b) return true;
    return false;
}

/* True if the conditions imply a < b, directly or since an earlier value of b is at most b. */
static bool is_less(const Eval *v, const Expr *a, const Expr *b) {
    bool less = has_condition(v, OP_SLT, a, b);
    for (size_t i = 0; i < vec_len(v->guard) && !less; i++)
        less = v->guard[i]->op == OP_SLE && v->guard[i]->args[1] == b && has_condition(v, OP_SLT, a, v->guard[i]->args[0]);
    return less;
}

/* Returns the span of an element that is read at the front of a queue that is not empty. */
static Span of_element(const Eval *v, const Expr *e) {
    const Intervals *p = v->intervals;
    vec_each_at(const Queue, q, p->queues) {
        const Expr *front = system_expr(p->system, q->front);
        if (q->open || e->args[0] != system_expr(p->system, q->array) || e->args[1] != front) continue;
        if (is_less(v, front, system_expr(p->system, q->back))) return q->span;
    }
    return whole;
}

static Span product(Span a, i128 c) {
    const i128 large = (i128)1 << 60;
    if (a.lo < -large || a.hi > large || c < -large || c > large) return whole;
    return c >= 0 ? (Span){a.lo * c, a.hi * c} : (Span){a.hi * c, a.lo * c};
}

static Span evaluate(const Eval *v, const Expr *e);

static Span inside(const Eval *v, const Expr *e) {
    Span a = whole, b;
    switch (e->op) {
    case OP_CONST:
    case OP_SYMBOL: return of_leaf(v, e);
    case OP_SELECT: return of_element(v, e);
    case OP_ITE: return hull(evaluate(v, e->args[1]), evaluate(v, e->args[2]));
    case OP_MUL: return expr_is_const(e->args[1]) ? product(evaluate(v, e->args[0]), (i128)e->args[1]->value) : whole;
    case OP_ADD:
        a = evaluate(v, e->args[0]);
        b = evaluate(v, e->args[1]);
        return is_nothing(a) || is_nothing(b) ? nothing : (Span){a.lo + b.lo, a.hi + b.hi};
    case OP_SUB:
        a = evaluate(v, e->args[0]);
        b = evaluate(v, e->args[1]);
        return is_nothing(a) || is_nothing(b) ? nothing : (Span){a.lo - b.hi, a.hi - b.lo};
    default: return whole;
    }
}

static Span evaluate(const Eval *v, const Expr *e) {
    if (e->sort->kind != SORT_INT || e->tree > LARGEST) return whole;
    Span s = clamp(inside(v, e));
    return is_nothing(s) ? s : meet(s, by_guard(v, e));
}

static Eval eval_at(const Intervals *p, unsigned thread, unsigned location, const Expr *const *guard) {
    return (Eval){p, thread, location, p->places[thread] ? p->places[thread][location].spans : NULL, guard};
}

/* Returns the conditions under which the transition is taken: a vec that the caller frees. */
static const Expr **conditions(const Intervals *p, unsigned thread, const Transition *x) {
    const Expr **all = conjuncts(x->guard);
    const Place *at = p->places[thread] ? &p->places[thread][x->source] : NULL;
    for (size_t i = 0; at && i < vec_len(at->known); i++) vec_push(all, at->known[i]);
    return all;
}

Span intervals_of(const Intervals *p, unsigned thread, const Transition *x, const Expr *e) {
    const Expr **guard = conditions(p, thread, x);
    Eval v = eval_at(p, thread, x->source, guard);
    Span s = evaluate(&v, e);
    vec_free(guard);
    return s;
}

/* ---- queues ---- */

static bool counts_up(const System *s, const Transition *x, unsigned v) {
    const Expr *next = transition_update(x, v), *one = expr_int(s->exprs, 1);
    return next && next->sort->kind == SORT_INT && next == expr_2(s->exprs, OP_ADD, system_expr(s, v), one);
}

/* Returns a subterm (select a index) of e, for any variable a, or NULL. */
static const Expr *find_select(const Expr *e, const Expr *index) {
    if (e->tree > LARGEST) return NULL;
    if (e->op == OP_SELECT && e->args[1] == index && e->args[0]->op == OP_SYMBOL) return e;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *found = find_select(e->args[i], index);
        if (found) return found;
    }
    return NULL;
}

/* True if the transition reads the element, and no other array at its index before. */
static bool reads(const Transition *x, const Expr *element) {
    const Expr *found = find_select(x->guard, element->args[1]);
    bool some = found == element;
    for (size_t u = 0; u < vec_len(x->updates) && !some; u++) some = find_select(x->updates[u].value, element->args[1]) == element;
    return some;
}

static void add_queue(Intervals *p, unsigned array, unsigned front, unsigned back) {
    for (size_t i = 0; i < vec_len(p->queues); i++)
        if (p->queues[i].array == array && p->queues[i].front == front && p->queues[i].back == back) return;
    vec_push(p->queues, ((Queue){array, front, back, nothing, false}));
}

/* True if e is the variable `of`, or a variable that a transition of the thread sets to it. */
static bool is_copy(const System *s, const SystemThread *t, const Expr *e, unsigned of) {
    unsigned v = e->op == OP_SYMBOL ? system_variable(s, e->symbol) : NONE;
    bool copy = v == of;
    for (size_t i = 0; v != NONE && i < vec_len(t->transitions) && !copy; i++)
        copy = transition_update(&t->transitions[i], v) == system_expr(s, of);
    return copy;
}

/* Finds the variables that a guard compares with `back` as less, and at which the transition reads the array. */
static void find_fronts(Intervals *p, const SystemThread *t, const Transition *x, const Expr *array, unsigned back) {
    const System *s = p->system;
    const Expr **guard = conjuncts(x->guard);
    for (size_t i = 0; i < vec_len(guard); i++) {
        if (guard[i]->op != OP_SLT || guard[i]->args[0]->op != OP_SYMBOL || !is_copy(s, t, guard[i]->args[1], back)) continue;
        unsigned front = system_variable(s, guard[i]->args[0]->symbol), a = system_variable(s, array->symbol);
        if (front != NONE && reads(x, expr_2(s->exprs, OP_SELECT, array, guard[i]->args[0]))) add_queue(p, a, front, back);
    }
    vec_free(guard);
}

/* Returns an element at this index that a guard of the thread reads, or NULL. */
static const Expr *find_read_element(const SystemThread *t, const Expr *index) {
    const Expr *found = NULL;
    for (size_t i = 0; i < vec_len(t->transitions) && !found; i++) found = find_select(t->transitions[i].guard, index);
    return found;
}

/* Finds queues whose end the transition moves by one, while a guard of the thread checks the element there. */
static void find_backs(Intervals *p, const SystemThread *by, const Transition *x) {
    const System *s = p->system;
    for (size_t u = 0; u < vec_len(x->updates); u++) {
        unsigned back = x->updates[u].variable;
        const Expr *element = counts_up(s, x, back) ? find_read_element(by, system_expr(s, back)) : NULL;
        if (!element || system_variable(s, element->args[0]->symbol) == NONE || element->sort->kind != SORT_INT) continue;
        for (size_t t = 0; t < vec_len(s->threads); t++)
            for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
                find_fronts(p, &s->threads[t], &s->threads[t].transitions[i], element->args[0], back);
    }
}

/* Returns the span that a condition, which may have choices, implies for an element. */
static Span condition_span(const Eval *v, const Expr *c, const Expr *element) {
    Span span = c->op == OP_OR ? nothing : whole;
    if (c->tree > LARGEST) return whole;
    for (unsigned i = 0; i < c->nargs && (c->op == OP_OR || c->op == OP_AND); i++) {
        Span part = condition_span(v, c->args[i], element);
        span = c->op == OP_OR ? hull(span, part) : meet(span, part);
    }
    if (c->op == OP_ITE) return hull(condition_span(v, c->args[1], element), condition_span(v, c->args[2], element));
    if (c->op == OP_EQ && (c->args[0] == element || c->args[1] == element)) return evaluate(v, c->args[c->args[0] == element ? 1 : 0]);
    return c->op == OP_OR || c->op == OP_AND ? span : by_condition(v, c, element);
}

/* Returns the span of the element that the transition puts into the queue. The transition lengthens the queue. */
static Span added_element(const Eval *v, const Queue *q) {
    const System *s = v->intervals->system;
    const Expr *element = expr_2(s->exprs, OP_SELECT, system_expr(s, q->array), system_expr(s, q->back));
    Span span = whole;
    for (size_t i = 0; i < vec_len(v->guard); i++) span = meet(span, condition_span(v, v->guard[i], element));
    return span;
}

/* Updates the queues that a transition lengthens. True if the span of a queue grows. */
static bool fill_queues(Intervals *p, const Eval *v, const Transition *x) {
    bool changed = false;
    vec_each_at(Queue, q, p->queues) {
        if (q->open || !counts_up(p->system, x, q->back)) continue;
        Span now = hull(q->span, added_element(v, q));
        changed |= !same(now, q->span);
        q->span = now;
        q->open = !is_nothing(now) && !(span_has_lo(now) && span_has_hi(now));
    }
    return changed;
}

/* ---- data flow ---- */

Span intervals_at_entry(const Intervals *p, unsigned thread, unsigned variable) {
    const System *s = p->system;
    const SystemVariable *v = &s->variables[variable];
    unsigned creator = writers_creator(s, thread);
    if (v->symbol->sort->kind != SORT_INT || !v->init) return whole;
    Span span = of_number((i128)v->init->value);
    if (creator == NONE || v->thread != NONE) return span;
    vec_each_at(const Transition, x, s->threads[creator].transitions)
        if (transition_update(x, variable)) span = hull(span, intervals_of(p, creator, x, transition_update(x, variable)));
    return span;
}

static Span *entry_spans(const Intervals *p, unsigned thread) {
    Span *list = NULL;
    for (unsigned v = 0; v < vec_len(p->system->variables); v++)
        vec_push(list, writers_own_at(p->writers, thread, p->system->threads[thread].entry, v) ? intervals_at_entry(p, thread, v) : whole);
    return list;
}

/* Returns the spans after the transition; NULL if the transition cannot be taken. */
static Span *step(const Eval *v, const Transition *x) {
    const System *s = v->intervals->system;
    Span *now = NULL;
    bool can = true;
    for (unsigned k = 0; k < vec_len(s->variables); k++) {
        const Expr *value = writers_own_at(v->intervals->writers, v->thread, x->target, k) ? transition_value(s, x, k) : NULL;
        Span span = value && value->sort->kind == SORT_INT ? evaluate(v, value) : whole;
        can &= !is_nothing(span);
        vec_push(now, span);
    }
    if (!can) vec_free(now);
    return now;
}

typedef struct Lasting {
    const Eval *eval;
    const Transition *transition;
    bool lasts;
} Lasting;

static void check_lasting(void *context, const Symbol *symbol) {
    Lasting *l = context;
    unsigned v = system_variable(l->eval->intervals->system, symbol);
    l->lasts &= v != NONE && writers_own_at(l->eval->intervals->writers, l->eval->thread, l->transition->target, v) &&
                !transition_update(l->transition, v);
}

/* True if the condition holds after the transition and as long as the thread is at its target. */
static bool lasts(const Eval *v, const Transition *x, const Expr *c) {
    Lasting l = {v, x, true};
    const System *s = v->intervals->system;
    unsigned last = c->op == OP_SLE && c->args[1]->op == OP_SYMBOL ? system_variable(s, c->args[1]->symbol) : NONE;
    expr_symbols(last != NONE && writers_grows(v->intervals->writers, v->thread, last) ? c->args[0] : c, check_lasting, &l);
    return l.lasts;
}

static void add_known(const Expr ***list, const Expr *c) {
    if (expr_is_const(c) || c->tree > LARGEST || vec_len(*list) >= MOST_KNOWN) return;
    if (!vec_has(*list, c)) vec_push(*list, c);
}

/* Adds equalities of variables that the transition sets to the same value. */
static void add_known_equalities(const Eval *v, const Transition *x, const Expr ***known) {
    const System *s = v->intervals->system;
    for (size_t u = 0; u < vec_len(x->updates); u++)
        for (size_t w = 0; w < u; w++) {
            unsigned a = x->updates[u].variable, b = x->updates[w].variable;
            if (x->updates[u].value != x->updates[w].value || x->updates[u].value->sort->kind != SORT_INT) continue;
            if (writers_own_at(v->intervals->writers, v->thread, x->target, a) &&
                writers_own_at(v->intervals->writers, v->thread, x->target, b))
                add_known(known, expr_eq(s->exprs, system_expr(s, a), system_expr(s, b)));
        }
}

/* Returns the conditions that hold after the transition: a vec. Adds a <= b after a := b if b only grows. */
static const Expr **known_after(const Eval *v, const Transition *x) {
    const System *s = v->intervals->system;
    const Expr **known = NULL;
    for (size_t i = 0; i < vec_len(v->guard); i++)
        if (lasts(v, x, v->guard[i])) add_known(&known, v->guard[i]);
    for (size_t u = 0; u < vec_len(x->updates); u++) {
        const Expr *value = x->updates[u].value;
        unsigned from = value->op == OP_SYMBOL ? system_variable(s, value->symbol) : NONE;
        if (from == NONE || !writers_grows(v->intervals->writers, v->thread, from) ||
            !writers_own(v->intervals->writers, v->thread, x->updates[u].variable) || transition_update(x, from))
            continue;
        add_known(&known, expr_2(s->exprs, OP_SLE, system_expr(s, x->updates[u].variable), value));
    }
    add_known_equalities(v, x, &known);
    return known;
}

/* Removes the conditions that are not in `other`, and frees `other`. True if one was removed. */
static bool intersect(const Expr ***set, const Expr **other) {
    size_t kept = 0, n = vec_len(*set);
    for (size_t i = 0; i < n; i++) {
        bool both = false;
        for (size_t k = 0; k < vec_len(other); k++) both |= (*set)[i] == other[k];
        if (both) (*set)[kept++] = (*set)[i];
    }
    if (*set) vec_resize(*set, kept);
    vec_free(other);
    return kept < n;
}

/* Joins spans and conditions into a location, and takes both over. True if the location changes. */
static bool join_place(Place *to, Span *now, const Expr **known) {
    if (!to->spans) {
        to->spans = now;
        to->known = known;
        return true;
    }
    bool changed = intersect(&to->known, known);
    for (size_t k = 0; k < vec_len(now); k++) {
        Span both = hull(to->spans[k], now[k]);
        if (same(both, to->spans[k])) continue;
        changed = true;
        if (to->joins > MOST_JOINS && both.lo < to->spans[k].lo) both.lo = -SPAN_END;
        if (to->joins > MOST_JOINS && both.hi > to->spans[k].hi) both.hi = SPAN_END;
        to->spans[k] = both;
    }
    to->joins += changed;
    vec_free(now);
    return changed;
}

static bool flow_transition(Intervals *p, unsigned thread, const Transition *x, bool *filled) {
    const Expr **guard = conditions(p, thread, x);
    Eval v = eval_at(p, thread, x->source, guard);
    Span *now = step(&v, x);
    bool changed = false;
    if (now) *filled |= fill_queues(p, &v, x);
    if (now) changed = join_place(&p->places[thread][x->target], now, known_after(&v, x));
    vec_free(guard);
    return changed;
}

/* Computes the spans of a thread. True if the span of a queue grows. */
static bool flow(Intervals *p, unsigned thread) {
    const SystemThread *t = &p->system->threads[thread];
    bool filled = false;
    unsigned *work = NULL;
    if (!p->places[thread]) vec_resize(p->places[thread], vec_len(t->locations));
    if (!p->places[thread][t->entry].spans) p->places[thread][t->entry].spans = entry_spans(p, thread);
    for (unsigned l = 0; l < vec_len(t->locations); l++)
        if (p->places[thread][l].spans) vec_push(work, l);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t k = 0; k < vec_len(t->locations[l].out); k++) {
            const Transition *x = &t->transitions[t->locations[l].out[k]];
            if (flow_transition(p, thread, x, &filled)) vec_push(work, x->target);
        }
    }
    vec_free(work);
    return filled;
}

/* Updates the queues by the transitions of a thread marked many, whose variables are unknown. */
static bool fill_by_many(Intervals *p, unsigned thread) {
    const SystemThread *t = &p->system->threads[thread];
    bool filled = false;
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Expr **guard = conjuncts(t->transitions[i].guard);
        Eval v = {p, thread, t->transitions[i].source, NULL, guard};
        filled |= fill_queues(p, &v, &t->transitions[i]);
        vec_free(guard);
    }
    return filled;
}

static void forget(Intervals *p) {
    for (size_t t = 0; t < vec_len(p->places); t++) {
        for (size_t l = 0; l < vec_len(p->places[t]); l++) {
            vec_free(p->places[t][l].spans);
            vec_free(p->places[t][l].known);
        }
        vec_free(p->places[t]);
    }
    vec_free(p->places);
    vec_resize(p->places, vec_len(p->system->threads));
    for (size_t i = 0; i < vec_len(p->queues); i++) p->queues[i].span = nothing;
}

static void compute(Intervals *p) {
    forget(p);
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        changed = false;
        for (size_t i = 0; i < vec_len(p->queues) && round > MOST_ROUNDS; i++) p->queues[i].open = true;
        for (unsigned t = 0; t < vec_len(p->system->threads); t++) changed |= p->system->threads[t].many ? fill_by_many(p, t) : flow(p, t);
    }
}

static bool span_valid(Span s) { return is_nothing(s) || (s.lo >= -SPAN_END && s.hi <= SPAN_END); }

static bool intervals_valid(const Intervals *p) {
    size_t n = vec_len(p->system->variables);
    vec_each_at(const Queue, q, p->queues)
        if (q->array >= n || q->front >= n || q->back >= n || q->front == q->back || !span_valid(q->span)) return false;
    for (size_t t = 0; t < vec_len(p->places); t++)
        for (size_t l = 0; p->places[t] && l < vec_len(p->system->threads[t].locations); l++) {
            const Span *spans = p->places[t][l].spans;
            if (spans && vec_len(spans) != n) return false;
            for (size_t v = 0; v < vec_len(spans); v++)
                if (!span_valid(spans[v])) return false;
        }
    return vec_len(p->places) == vec_len(p->system->threads);
}

void intervals_drop(Intervals *p, size_t queue) {
    ensure(queue < vec_len(p->queues));
    p->queues[queue].open = true;
    compute(p);
    ensure(intervals_valid(p));
}

/* ---- all ---- */

static bool is_small(const System *s) {
    size_t locations = 0;
    for (size_t t = 0; t < vec_len(s->threads); t++) locations += vec_len(s->threads[t].locations);
    return locations * vec_len(s->variables) * vec_len(s->threads) <= MOST_ENTRIES;
}

Intervals *intervals_new(const System *s) {
    if (!s->integers || !is_small(s)) return NULL;
    Intervals *p = zeroed(1, sizeof *p);
    p->system = s;
    p->writers = writers_new(s);
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) find_backs(p, &s->threads[t], &s->threads[t].transitions[i]);
    compute(p);
    ensure(intervals_valid(p));
    return p;
}

void intervals_free(Intervals *p) {
    if (!p) return;
    forget(p);
    vec_free(p->places);
    writers_free(p->writers);
    vec_free(p->queues);
    free(p);
}

const ExclusiveWriters *intervals_writers(const Intervals *p) { return p->writers; }
const Queue *intervals_queues(const Intervals *p) { return p->queues; }

/* ---- as formulas ---- */

static const Expr *within(Exprs *x, const Expr *e, Span s) {
    const Expr *r = expr_bool(x, true);
    if (is_nothing(s)) return expr_bool(x, false);
    if (span_has_lo(s)) r = expr_and(x, r, expr_2(x, OP_SLE, expr_int(x, s.lo), e));
    if (span_has_hi(s)) r = expr_and(x, r, expr_2(x, OP_SLE, e, expr_int(x, s.hi)));
    return r;
}

const Expr *intervals_fact(const Intervals *p, unsigned thread, unsigned location) {
    const System *s = p->system;
    const Expr *fact = expr_bool(s->exprs, true);
    if (s->threads[thread].many) return fact;
    const Span *list = p->places[thread][location].spans;
    if (!list) return expr_bool(s->exprs, false);
    for (unsigned v = 0; v < vec_len(list); v++)
        if (writers_own_at(p->writers, thread, location, v)) fact = expr_and(s->exprs, fact, within(s->exprs, system_expr(s, v), list[v]));
    const Expr *const *known = p->places[thread][location].known;
    for (size_t i = 0; i < vec_len(known); i++) fact = expr_and(s->exprs, fact, known[i]);
    return fact;
}

const Expr *intervals_element(const Intervals *p, const Queue *q, const Expr *index) {
    const System *s = p->system;
    Exprs *x = s->exprs;
    const Expr *inside = expr_and(x, expr_2(x, OP_SLE, system_expr(s, q->front), index), expr_2(x, OP_SLT, index, system_expr(s, q->back)));
    if (q->open) return expr_bool(x, true);
    return expr_implies(x, inside, within(x, expr_2(x, OP_SELECT, system_expr(s, q->array), index), q->span));
}

const Expr *intervals_fronts(const Intervals *p) {
    const Expr *all = expr_bool(p->system->exprs, true);
    for (size_t i = 0; i < vec_len(p->queues); i++)
        all = expr_and(p->system->exprs, all, intervals_element(p, &p->queues[i], system_expr(p->system, p->queues[i].front)));
    return all;
}
