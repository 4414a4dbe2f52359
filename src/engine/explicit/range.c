/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inputs that conditions restrict to a small range before they are used. From the HAVOC on, all paths of its thread are followed. Each
   condition on the input cuts the input's range. A path ends in one of three cases:
   - nothing depends on the input any more, so one value of the range represents all;
   - the input has a use that is not a comparison with a constant, so the range must be small and all of it is tried. If all uses are remainders
     modulo constants, one period of the remainders is tried instead;
   - the thread ends. If the result depends on the input, this is a use, because a thread that joins it gets the result.
   While main is the only thread, globals are followed like locals.
   Invariant: `environment` maps each variable that depends on the input to its value as a term over the input. */
#include "engine/explicit/values.h"
#include "ir/live.h"

enum { SMALL_RANGE = 64, DEEP = 400, MANY_PATHS = 1000 };

typedef struct Binding {
    const Variable *variable;
    const Expr *value;
} Binding;

typedef struct Range {
    i128 low, high; /* as signed numbers; both are negative, or neither is */
} Range;

/* A point of a path: location, range and environment. A path that reaches a visited point ends there. */
typedef struct Visited {
    unsigned location;
    bool alone;
    Range range;
    Binding *environment; /* a vec */
} Visited;

typedef struct Walk {
    const Program *program;
    const Template *template_;
    const Liveness *live;
    const Symbol *input; /* stands for the input's value in terms; a new symbol, since the variable may be assigned again */
    unsigned width;
    Visited *visited; /* a vec */
    u128 **values;
    bool failed;
    const Binding *environment; /* at the condition that is split */
} Walk;

/* ---- terms over the input ---- */

static const Expr *image(void *context, const Expr *symbol) {
    const Binding *environment = context;
    const Variable *v = expr_variable(symbol);
    for (size_t i = vec_len(environment); v && i-- > 0;)
        if (environment[i].variable == v) return environment[i].value;
    return NULL;
}

static void note_bound(void *context, const Symbol *s) {
    const Binding **found = context;
    if (s->kind != SYM_VARIABLE) return;
    for (size_t i = 0; i < vec_len(found[0]); i++)
        if (found[0][i].variable == s->user) found[1] = &found[0][i];
}

/* Returns true if e (may be NULL) depends on the input. */
static bool depends(const Binding *environment, const Expr *e) {
    const Binding *found[2] = {environment, NULL};
    if (e) expr_symbols(e, note_bound, found);
    return found[1] != NULL;
}

/* Sets the value of v in the environment; NULL: v does not depend on the input. */
static void bind(Binding **environment, const Variable *v, const Expr *value) {
    for (size_t i = 0; i < vec_len(*environment); i++)
        if ((*environment)[i].variable == v) {
            (*environment)[i] = vec_last(*environment);
            (void)vec_pop(*environment);
            break;
        }
    Binding b = {v, value};
    if (value) vec_push(*environment, b);
}

/* ---- ranges ---- */

/* If e is the input, possibly extended or shifted to the right, returns how many consecutive inputs give the same value of e. 0: e is another
   term. */
static uint64_t repeats(const Walk *w, const Expr *e) {
    uint64_t n = 1;
    for (;;) {
        if (e->op == OP_LSHR && expr_is_const(e->args[1]) && e->args[1]->value < 4) n <<= e->args[1]->value;
        else if (e->op != OP_SEXT && e->op != OP_ZEXT) break;
        e = e->args[0];
    }
    return e->op == OP_SYMBOL && e->symbol == w->input ? n : 0;
}

/* If e is a remainder of the input, returns its period: any `period` consecutive inputs of one sign have all remainders. 0: e is another term. */
static uint64_t divisor(const Walk *w, const Expr *e) {
    if (e->op == OP_EXTRACT && e->low == 0 && e->sort->width < 7) return repeats(w, e->args[0]) << e->sort->width;
    if (e->op != OP_SREM && e->op != OP_UREM && e->op != OP_BAND) return 0;
    const Expr *x = e->args[0], *c = e->args[1];
    if (expr_is_const(x) && e->op == OP_BAND) x = e->args[1], c = e->args[0];
    if (!expr_is_const(c) || c->value == 0 || c->value > SMALL_RANGE) return 0;
    if (e->op == OP_BAND && (c->value & (c->value + 1))) return 0;
    return repeats(w, x) * ((uint64_t)c->value + (e->op == OP_BAND));
}

/* Makes *n a common multiple of the periods of all remainders of the input in e. Returns false if e uses the input in another way. */
static bool only_remainders(const Walk *w, const Expr *e, uint64_t *n) {
    if (!expr_mentions(e, w->input)) return true;
    uint64_t d = divisor(w, e);
    for (uint64_t m = *n; d && m <= SMALL_RANGE; m += *n)
        if (m % d == 0) {
            *n = m;
            return true;
        }
    bool only = e->nargs > 0;
    for (unsigned i = 0; i < e->nargs && only; i++) only = only_remainders(w, e->args[i], n);
    return only;
}

/* Returns how many consecutive inputs represent all, for e (may be NULL) and for all variables that depend on the input. Returns 0 if one of
   these uses the input other than by remainders. */
static uint64_t period(const Walk *w, const Expr *e) {
    uint64_t n = 1;
    if (e && !only_remainders(w, e, &n)) return 0;
    for (size_t i = 0; i < vec_len(w->environment); i++)
        if (!only_remainders(w, w->environment[i].value, &n)) return 0;
    return n;
}

/* Adds the values of a range with which the input is used in e (NULL: in the environment). Fails if there are too many. */
static void use(Walk *w, Range r, const Expr *e) {
    uint64_t n = r.high - r.low >= SMALL_RANGE ? period(w, e) : 0;
    if (n) r.high = r.low + (i128)n - 1;
    if (r.high - r.low >= SMALL_RANGE) {
        w->failed = true;
        return;
    }
    for (i128 v = r.low; v <= r.high; v++) values_add(w->values, (u128)v & values_mask(w->width));
}

static i128 signed_of(u128 v, unsigned width) {
    u128 top = (u128)1 << (width - 1);
    return (i128)((v & values_mask(width)) ^ top) - (i128)top;
}

/* Returns true if e is the input, or an extension that does not change its signed value. */
static bool is_input(const Walk *w, const Expr *e, Range r) {
    while (e->op == OP_SEXT || (e->op == OP_ZEXT && r.low >= 0)) e = e->args[0];
    return e->op == OP_SYMBOL && e->symbol == w->input;
}

/* Computes the parts of r in which a comparison of the input with a constant holds (or does not hold). Returns the number of parts, which are
   in out[2]. Returns -1 if e is another condition. */
static int cut(const Walk *w, const Expr *e, bool holds, Range r, Range *out) {
    if (e->op != OP_EQ && e->op != OP_ULT && e->op != OP_ULE && e->op != OP_SLT && e->op != OP_SLE) return -1;
    bool first = is_input(w, e->args[0], r);
    const Expr *other = e->args[first ? 1 : 0];
    if (!(first || is_input(w, e->args[1], r)) || !expr_is_const(other) || other->sort->width > 64) return -1;
    i128 c = signed_of(other->value, other->sort->width);
    int n = 0;
    if (e->op == OP_EQ) {
        if (holds) {
            if (r.low <= c && c <= r.high) out[n++] = (Range){c, c};
            return n;
        }
        if (r.low < c) out[n++] = (Range){r.low, c - 1 < r.high ? c - 1 : r.high};
        if (r.high > c) out[n++] = (Range){c + 1 > r.low ? c + 1 : r.low, r.high};
        return n;
    }
    bool is_unsigned = e->op == OP_ULT || e->op == OP_ULE, strict = e->op == OP_ULT || e->op == OP_SLT;
    /* As unsigned numbers, negative numbers are the larger ones. The numbers of r have one sign. */
    if (is_unsigned && (c < 0) != (r.low < 0)) {
        bool input_less = r.low >= 0;
        if ((input_less == first) == holds) out[n++] = r;
        return n;
    }
    /* input < c, input <= c, c < input, c <= input, or the negation of one */
    bool below = first == holds;
    i128 bound = below ? (first ? (strict ? c - 1 : c) : (strict ? c : c - 1)) : (first ? (strict ? c : c + 1) : (strict ? c + 1 : c));
    if (below && r.high > bound) r.high = bound;
    if (!below && r.low < bound) r.low = bound;
    if (r.low <= r.high) out[n++] = r;
    return n;
}

typedef void (*Then)(void *context, Range);

/* Calls `then` for ranges that together cover the part of r in which e holds (or does not hold). */
static void split(Walk *w, const Expr *e, bool holds, Range r, Then then, void *context);

typedef struct Rest {
    Walk *walk;
    const Expr *expr;
    unsigned next;
    bool holds;
    Then then;
    void *context;
} Rest;

static void split_rest(void *context, Range r) {
    Rest rest = *(Rest *)context;
    if (rest.next == rest.expr->nargs) {
        rest.then(rest.context, r);
        return;
    }
    const Expr *e = rest.expr->args[rest.next++];
    split(rest.walk, e, rest.holds, r, split_rest, &rest);
}

/* If e compares a truth value, converted to a bit-vector, with 0 or 1, returns the truth value. *same: e is equivalent to it, not to its negation. */
static const Expr *truth_of(const Expr *e, bool *same) {
    if (e->op != OP_EQ) return NULL;
    unsigned constant = expr_is_const(e->args[1]) ? 1 : 0;
    const Expr *v = e->args[1 - constant];
    while (v->op == OP_ZEXT) v = v->args[0];
    if (!expr_is_const(e->args[constant]) || v->op != OP_BOOL_TO_BV || e->args[constant]->value > 1) return NULL;
    *same = e->args[constant]->value == 1;
    return v->args[0];
}

static void split(Walk *w, const Expr *e, bool holds, Range r, Then then, void *context) {
    Range out[2];
    bool same;
    const Expr *truth = truth_of(e, &same);
    if (w->failed) return;
    if (e->op == OP_CONST) {
        if ((e->value != 0) == holds) then(context, r);
    } else if (e->op == OP_NOT) {
        split(w, e->args[0], !holds, r, then, context);
    } else if (truth) {
        split(w, truth, same ? holds : !holds, r, then, context);
    } else if ((e->op == OP_AND) == holds && (e->op == OP_AND || e->op == OP_OR)) {
        Rest rest = {w, e, 0, holds, then, context};
        split_rest(&rest, r);
    } else if (e->op == OP_AND || e->op == OP_OR) {
        for (unsigned i = 0; i < e->nargs; i++) split(w, e->args[i], holds, r, then, context);
    } else {
        int n = cut(w, e, holds, r, out);
        for (int i = 0; i < n; i++) then(context, out[i]);
        if (n < 0 && expr_mentions(e, w->input)) use(w, r, e); /* all of the range is tried, so the path need not be followed */
        else if (n < 0) then(context, r);
    }
}

/* ---- paths ---- */

typedef struct Point { /* in an action, before an instruction */
    Walk *walk;
    const Action *action;
    size_t instr;
    Binding *environment; /* a vec */
    unsigned depth;
    bool alone; /* no other thread has been created, so globals behave like locals */
} Point;

static void walk_on(void *point, Range r);

/* Removes the dead variables from the environment. */
static void drop_dead(const Walk *w, Binding *environment, unsigned location) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(environment); i++)
        if (environment[i].variable->global || live_at(w->live, location, environment[i].variable)) environment[kept++] = environment[i];
    if (environment) vec_head_(environment)->length = kept;
}

static void note_needed(void *context, const Expr *e) {
    const Binding **found = context;
    if (e) expr_symbols(e, note_bound, found);
}

/* Returns the part of the environment that the action's instructions, or what follows them, use. */
static Binding *needed_by(const Walk *w, const Action *a, const Binding *environment) {
    Binding *needed = NULL;
    for (size_t i = 0; i < vec_len(environment); i++) {
        const Variable *v = environment[i].variable;
        Binding *one = NULL;
        vec_push(one, environment[i]);
        const Binding *found[2] = {one, NULL};
        for (size_t k = 0; k < vec_len(a->instrs); k++) {
            instr_expressions(&a->instrs[k], note_needed, found);
            if (a->instrs[k].cell == v) found[1] = one;
        }
        if (found[1] || v->global || live_at(w->live, a->target, v)) vec_push(needed, environment[i]);
        vec_free(one);
    }
    return needed;
}

/* Returns true if the thread ends here with a result that depends on the input. A thread that joins it gets the result. */
static bool is_handed_over(const Walk *w, const Location *l, const Binding *environment) {
    bool bound = false;
    for (size_t i = 0; i < vec_len(environment); i++) bound |= environment[i].variable == w->template_->result;
    return l->kind == LOCATION_END && bound;
}

static bool is_visited(const Walk *w, const Visited *v) {
    vec_each_at(const Visited, o, w->visited) {
        if (o->location != v->location || o->alone != v->alone || o->range.low != v->range.low || o->range.high != v->range.high) continue;
        bool same = vec_len(o->environment) == vec_len(v->environment);
        for (size_t k = 0; k < vec_len(v->environment) && same; k++)
            same = o->environment[k].variable == v->environment[k].variable && o->environment[k].value == v->environment[k].value;
        if (same) return true;
    }
    return false;
}

static void forget_visits(Walk *w) {
    while (vec_len(w->visited)) {
        Visited v = vec_pop(w->visited);
        vec_free(v.environment);
    }
}

/* Continues at the target of the point's action. */
static void walk_location(const Point *at, Range r) {
    Walk *w = at->walk;
    const Location *l = &w->template_->locations[at->action->target];
    w->environment = at->environment;
    if (is_handed_over(w, l, at->environment)) {
        use(w, r, NULL);
        return;
    }
    drop_dead(w, at->environment, at->action->target);
    bool needed = vec_len(at->environment) != 0;
    Visited here = {at->action->target, at->alone, r, at->environment};
    if (!needed || vec_len(l->out) == 0 || is_visited(w, &here)) { /* one value of the range represents all, also in an endless loop */
        values_add(w->values, (u128)r.low & values_mask(w->width));
        return;
    }
    if (at->depth == DEEP || vec_len(w->visited) == MANY_PATHS) {
        use(w, r, NULL);
        return;
    }
    here.environment = vec_copy(at->environment);
    vec_push(w->visited, here);
    for (size_t i = 0; i < vec_len(l->out) && !w->failed; i++) {
        const Action *a = &w->template_->actions[l->out[i]];
        const Expr *guard = expr_substitute(w->program->exprs, a->guard, image, at->environment);
        Point next = {w, a, 0, vec_copy(at->environment), at->depth + 1, at->alone};
        Binding *after = needed_by(w, a, at->environment);
        w->environment = after;
        split(w, guard, true, r, walk_on, &next);
        vec_free(after);
        vec_free(next.environment);
    }
}

/* Returns true if the instruction uses the input other than by an assignment that the environment can follow. */
static bool has_other_use(const Instr *i, const Point *at) {
    const Binding *environment = at->environment;
    if (i->kind == INSTR_ASSIGN && (!i->target->global || at->alone)) return false;
    for (size_t k = 0; k < vec_len(environment) && i->kind == INSTR_CREATE; k++)
        if (environment[k].variable->global) return true;
    return depends(environment, i->address) || depends(environment, i->value) || depends(environment, i->size) ||
           (i->cell && depends(environment, variable_expr((Program *)at->walk->program, i->cell)));
}

/* Continues from the point, with the input in range r. */
static void walk_instrs(void *point, Range r) {
    Point at = *(const Point *)point;
    Walk *w = at.walk;
    at.environment = vec_copy(at.environment);
    for (; at.instr < vec_len(at.action->instrs) && !w->failed; at.instr++) {
        const Instr *i = &at.action->instrs[at.instr];
        if (i->kind == INSTR_ASSUME) {
            const Expr *e = expr_substitute(w->program->exprs, i->value, image, at.environment);
            at.instr++;
            w->environment = at.environment;
            split(w, e, true, r, walk_on, &at);
            vec_free(at.environment);
            return;
        }
        w->environment = at.environment;
        if (has_other_use(i, &at)) {
            use(w, r, NULL);
            vec_free(at.environment);
            return;
        }
        if (i->kind == INSTR_CREATE) at.alone = false;
        bool bound = i->kind == INSTR_ASSIGN && depends(at.environment, i->value);
        if (bound && expr_may_fault(i->value)) { /* for some values only */
            use(w, r, NULL);
            vec_free(at.environment);
            return;
        }
        const Expr *value = bound ? expr_substitute(w->program->exprs, i->value, image, at.environment) : NULL;
        if (i->target) bind(&at.environment, i->target, value);
    }
    if (!w->failed) walk_location(&at, r);
    vec_free(at.environment);
}

/* Continues from the point, and restores the environment of the condition that is split: its next part follows. */
static void walk_on(void *point, Range r) {
    Walk *w = ((const Point *)point)->walk;
    const Binding *environment = w->environment;
    walk_instrs(point, r);
    w->environment = environment;
}

/* ---- the start of the walk ---- */

static bool creates(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_CREATE) return true;
    return false;
}

/* Returns true if this is an action of main that no creation of a thread can precede. */
static bool is_alone(const Template *t, const Action *a) {
    bool *after = NULL; /* by location: a creation may lie before it */
    if (t->index != 0 || creates(a)) return false;
    vec_resize(after, vec_len(t->locations));
    for (bool changed = true; changed;) {
        changed = false;
        vec_each_at(const Action, x, t->actions) {
            if (after[x->target] || !(after[x->source] || creates(x))) continue;
            after[x->target] = changed = true;
        }
    }
    bool alone = !after[a->source];
    vec_free(after);
    return alone;
}

static bool find_instr(const Program *p, const Instr *i, const Template **t, const Action **a) {
    for (size_t k = 0; k < vec_len(p->templates); k++)
        for (size_t n = 0; n < vec_len(p->templates[k]->actions); n++) {
            *t = p->templates[k];
            *a = &p->templates[k]->actions[n];
            if (vec_len((*a)->instrs) && i >= (*a)->instrs && i < (*a)->instrs + vec_len((*a)->instrs)) return true;
        }
    return false;
}

bool values_by_range(const Program *p, const Instr *havoc, u128 **values) {
    const Template *t;
    const Action *a;
    const Variable *v = havoc->target;
    if (v->sort->width > 64 || v->sort->width < 2 || !find_instr(p, havoc, &t, &a) || (v->global && !is_alone(t, a))) return false;
    Liveness *live = live_new(p, t);
    Walk w = {.program = p, .template_ = t, .live = live, .width = v->sort->width, .values = values};
    w.input = symbol_new(p->exprs, SYM_VARIABLE, "input", v->sort);
    i128 top = (i128)1 << (v->sort->width - 1);
    const Range halves[] = {{0, top - 1}, {-top, -1}};
    for (unsigned i = 0; i < 2; i++) {
        Point start = {.walk = &w, .action = a, .instr = (size_t)(havoc - a->instrs) + 1, .alone = is_alone(t, a)};
        bind(&start.environment, v, expr_symbol(p->exprs, w.input));
        walk_on(&start, halves[i]);
        vec_free(start.environment);
        forget_visits(&w);
    }
    vec_free(w.visited);
    live_free(live);
    return !w.failed;
}

bool values_of_input(const Program *p, PointsTo *pointsto, const Instr *havoc, u128 **values) {
    if (values_by_flow(p, havoc->target, values)) return true;
    vec_clear(*values);
    if (values_by_range(p, havoc, values)) return true;
    vec_clear(*values);
    if (values_by_equality(p, pointsto, havoc, values)) return true;
    vec_free(*values);
    return false;
}
