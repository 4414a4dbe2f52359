/* SPDX-License-Identifier: Apache-2.0 */
/* Marks the variables of a program that wrap around in its system; and, once the system is built anew, simplifies their arithmetic.

   requires  a system of integers, and the program that it was made from
   ensures   After wraps_find, variables that wrap around are marked congruent, and so are arrays that are copied to or from a marked array.
             After wraps_loosen, the executions are the same, up to congruent values of congruent variables.
   breaks    wraps_find: if it marks a variable, the system is no longer the system of the program */
#include "passes/build/wraps.h"
#include "base/map.h"
#include "passes/system/tidy.h"

/* True if e is a constant whose addition brings a number of the width into range: 2^width or its negation. Simplification may have added a
   small number to it. */
static bool is_wrap_constant(const Expr *e, unsigned width) {
    const i128 turn = (i128)1 << width, little = turn / 16 < 1 << 12 ? turn / 16 : 1 << 12;
    if (!expr_is_const(e) || e->sort->kind != SORT_INT) return false;
    i128 c = (i128)e->value < 0 ? -(i128)e->value : (i128)e->value;
    return c > turn - little && c < turn + little;
}

/* True if the operand is a condition or an index, which is not a part of the value. */
static bool only_decides(const Expr *e, unsigned operand) {
    return e->op == OP_ITE ? operand == 0 : (e->op == OP_SELECT || e->op == OP_STORE) && operand == 1;
}

/* True if the value of e may be a sum with such a constant, below an if-then-else or a remainder. */
static bool has_wrap_constant(const Expr *e, unsigned width, bool inside, Map *seen) {
    if (is_wrap_constant(e, width)) return inside;
    if (!e->nargs || (map_find(seen, e) && !inside)) return false;
    map_set(seen, e, (void *)e);
    inside |= e->op == OP_ITE || e->op == OP_MOD;
    for (unsigned i = 0; i < e->nargs; i++)
        if (!only_decides(e, i) && has_wrap_constant(e->args[i], width, inside, seen)) return true;
    return false;
}

/* ---- counters in comparisons ---- */

/* True if each branch of the value is a constant, or the variable plus or minus constants. */
static bool only_counts(const Expr *variable, const Expr *value) {
    if (value->op == OP_ITE) return only_counts(variable, value->args[1]) && only_counts(variable, value->args[2]);
    if (expr_is_const(value) || value == variable) return true;
    if (value->op != OP_ADD && value->op != OP_SUB) return false;
    if (expr_is_const(value->args[1])) return only_counts(variable, value->args[0]);
    return value->op == OP_ADD && expr_is_const(value->args[0]) && only_counts(variable, value->args[1]);
}

static bool is_compared(const Expr *e, const Symbol *v) {
    if (e->op == OP_SLT || e->op == OP_SLE)
        for (unsigned k = 0; k < 2; k++)
            if (expr_mentions(e->args[k], v) && !expr_is_const(e->args[1 - k])) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (is_compared(e->args[i], v)) return true;
    return false;
}

/* True if the variable only counts, and a guard compares it with another term. Such a variable is not marked: a wrap-around by constants is
   simpler than a comparison of remainders. */
static bool is_held_against(const System *s, unsigned variable) {
    const Expr *v = system_expr(s, variable);
    bool compared = false;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, tr, s->threads[t].transitions) {
            const Expr *value = transition_update(tr, variable);
            if (value && !only_counts(v, value)) return false;
            compared |= is_compared(tr->guard, v->symbol);
        }
    return compared;
}

static bool wraps(const System *s, const Update *u) {
    const Variable *v = s->variables[u->variable].origin;
    const Sort *sort = v ? v->sort : NULL;
    while (sort && sort->kind == SORT_ARRAY) sort = sort->element;
    if (!sort || sort->kind != SORT_BV || sort->width > 64 || v->congruent) return false;
    Map *seen = map_new();
    bool found = has_wrap_constant(u->value, sort->width, false, seen);
    map_free(seen);
    return found && !is_held_against(s, u->variable);
}

/* Marks the variable as congruent; returns true if it was not. The variable belongs to the program, which wraps_find may change. */
static bool mark(const Variable *v) {
    if (v->congruent) return false;
    return ((Variable *)v->symbol->user)->congruent = true;
}

/* Marks the arrays of unsigned numbers whose elements the dividend of a remainder adds: they are compared with variables that wrap around, and
   have arbitrary integers at first. */
static bool add_arrays(const System *s, const Expr *dividend, i128 m) {
    bool more = false;
    if (dividend->op == OP_SELECT && dividend->args[0]->op == OP_SYMBOL) {
        unsigned v = system_variable(s, dividend->args[0]->symbol);
        const Variable *o = v == NONE ? NULL : s->variables[v].origin;
        const Sort *e = o && o->sort->kind == SORT_ARRAY ? o->sort->element : NULL;
        return e && e->kind == SORT_BV && e->width <= 64 && (i128)1 << e->width == m && !o->is_signed && mark(o);
    }
    for (unsigned i = 0; i < dividend->nargs && (dividend->op == OP_ADD || dividend->op == OP_SUB); i++)
        more |= add_arrays(s, dividend->args[i], m);
    return more;
}

static bool add_arrays_in(const System *s, const Expr *e, Map *seen) {
    if (!e->nargs || map_find(seen, e)) return false;
    map_set(seen, e, (void *)e);
    bool more = e->op == OP_MOD && expr_is_const(e->args[1]) && add_arrays(s, e->args[0], (i128)e->args[1]->value);
    for (unsigned i = 0; i < e->nargs; i++) more |= add_arrays_in(s, e->args[i], seen);
    return more;
}

static bool find_arrays(const System *s) {
    bool more = false;
    Map *seen = map_new();
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) more |= add_arrays_in(s, s->threads[t].transitions[i].guard, seen);
    map_free(seen);
    return more;
}

/* Marks both arrays of a copy if one is marked, since a copy does not change elements. Returns true if an array was not marked before. */
static bool mark_copies(Variable *to, const Expr *value) {
    bool more = false;
    if (value->op == OP_STORE) return mark_copies(to, value->args[0]);
    if (value->op == OP_ITE) {
        more = mark_copies(to, value->args[1]);
        return mark_copies(to, value->args[2]) || more;
    }
    Variable *from = expr_variable(value);
    if (!from || from->congruent == to->congruent) return false;
    from->congruent = to->congruent = true;
    return true;
}

static bool mark_copies_of(const Template *t) {
    bool more = false;
    for (size_t a = 0; a < vec_len(t->actions); a++)
        vec_each_at(const Instr, instr, t->actions[a].instrs)
            if (instr->kind == INSTR_ASSIGN && instr->target->sort->kind == SORT_ARRAY) more |= mark_copies(instr->target, instr->value);
    return more;
}

static void mark_all_copies(Program *p) {
    for (bool more = true; more;) {
        more = false;
        for (size_t t = 0; t < vec_len(p->templates); t++) more |= mark_copies_of(p->templates[t]);
    }
}

bool wraps_find(const System *s, Program *p) {
    bool more = s->integers && find_arrays(s);
    for (size_t t = 0; t < vec_len(s->threads) && s->integers; t++)
        vec_each_at(const Transition, tr, s->threads[t].transitions)
            for (size_t u = 0; u < vec_len(tr->updates); u++) {
                if (!wraps(s, &tr->updates[u])) continue;
                more |= mark(s->variables[tr->updates[u].variable].origin);
            }
    if (more) mark_all_copies(p);
    return more;
}

/* ---- congruent values ---- */

typedef struct Loosening {
    const System *system;
    Exprs *exprs;
    Smt *smt;
    Map *seen; /* Expr -> Expr */
} Loosening;

static const Expr *loose(Loosening *, const Expr *);

static bool is_multiple(const Expr *modulus, i128 of) {
    return expr_is_const(modulus) && (i128)modulus->value > 0 && (i128)modulus->value % of == 0;
}

static bool are_congruent(Loosening *l, const Expr *a, const Expr *b, i128 m) {
    const Expr *rest = expr_2(l->exprs, OP_MOD, expr_2(l->exprs, OP_SUB, a, b), expr_int(l->exprs, m));
    return smt_proves(l->smt, l->exprs, expr_eq(l->exprs, rest, expr_int(l->exprs, 0)));
}

/* Returns a simpler number that is congruent to e modulo m. */
static const Expr *congruent(Loosening *l, const Expr *e, i128 m) {
    if (e->op == OP_MOD && is_multiple(e->args[1], m)) return congruent(l, e->args[0], m);
    if (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL) {
        const Expr *args[e->nargs];
        for (unsigned i = 0; i < e->nargs; i++) args[i] = congruent(l, e->args[i], m);
        return expr_make(l->exprs, e->op, 0, e->nargs, args);
    }
    if (e->op == OP_ITE) {
        const Expr *a = congruent(l, e->args[1], m), *b = congruent(l, e->args[2], m);
        return are_congruent(l, a, b, m) ? a : expr_ite(l->exprs, loose(l, e->args[0]), a, b);
    }
    return loose(l, e);
}

/* True if the types of the variables in e imply 0 <= e < m. */
static bool is_remainder(Loosening *l, const Expr *e, i128 m) {
    Exprs *x = l->exprs;
    if (e->op == OP_MOD && expr_is_const(e->args[1]) && (i128)e->args[1]->value == m) return true;
    const Expr *range = expr_and(x, expr_2(x, OP_SLE, expr_int(x, 0), e), expr_2(x, OP_SLT, e, expr_int(x, m)));
    return smt_proves(l->smt, x, expr_implies(x, tidy_types(l->system, e), range));
}

/* Replaces an equality of two remainders modulo m by "their difference modulo m is 0", which has a single remainder of a linear term. Returns
   NULL if e is not such an equality. */
static const Expr *loose_equality(Loosening *l, const Expr *e) {
    for (unsigned k = 0; k < 2; k++) {
        const Expr *a = e->args[k], *b = e->args[1 - k];
        i128 m = a->op == OP_MOD && expr_is_const(a->args[1]) ? (i128)a->args[1]->value : 0;
        if (m < 2 || a->sort->kind != SORT_INT || !is_remainder(l, b, m)) continue;
        const Expr *d = expr_2(l->exprs, OP_SUB, congruent(l, a, m), congruent(l, b, m));
        return expr_eq(l->exprs, expr_2(l->exprs, OP_MOD, d, a->args[1]), expr_int(l->exprs, 0));
    }
    return NULL;
}

static const Expr *loose_new(Loosening *l, const Expr *e) {
    const Expr *equality = e->op == OP_EQ ? loose_equality(l, e) : NULL;
    if (equality) return equality;
    if (e->op == OP_MOD && e->sort->kind == SORT_INT && expr_is_const(e->args[1]) && (i128)e->args[1]->value > 1)
        return expr_2(l->exprs, OP_MOD, congruent(l, e->args[0], (i128)e->args[1]->value), e->args[1]);
    const Expr *args[e->nargs];
    bool same = true;
    for (unsigned i = 0; i < e->nargs; i++) same &= (args[i] = loose(l, e->args[i])) == e->args[i];
    return same || e->op == OP_APPLY || e->op == OP_EXTRACT || e->op == OP_CONST_ARRAY
               ? e
               : expr_make(l->exprs, e->op, e->flags, e->nargs, args);
}

static const Expr *loose(Loosening *l, const Expr *e) {
    const Expr *known = e->nargs ? map_find(l->seen, e) : e;
    if (known) return known;
    known = loose_new(l, e);
    map_set(l->seen, e, known);
    return known;
}

static const Expr *loose_value(Loosening *l, const System *s, const Update *u) {
    const Variable *v = s->variables[u->variable].origin;
    bool scalar = v && v->congruent && v->sort->kind == SORT_BV;
    return scalar ? congruent(l, u->value, (i128)1 << v->sort->width) : loose(l, u->value);
}

void wraps_loosen(System *s, Smt *smt) {
    Loosening l = {s, s->exprs, smt, map_new()};
    for (size_t t = 0; t < vec_len(s->threads) && s->integers; t++)
        vec_each_at(Transition, tr, s->threads[t].transitions) {
            tr->guard = loose(&l, tr->guard);
            for (size_t u = 0; u < vec_len(tr->updates); u++) tr->updates[u].value = loose_value(&l, s, &tr->updates[u]);
        }
    map_free(l.seen);
}
