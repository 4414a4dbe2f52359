/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants x % d == r of variables that start from constants and change by constants. Interpolants of one path do not find them, since
   they concern all paths together. All values are r modulo the common divisor of all steps and of all differences between starts. */
#include "analysis/congruence_invariants.h"

typedef struct Stride {
    const Expr *variable;
    bool steps, lost; /* a constant is added to the variable; it is set to another value, so nothing is known */
    bool has_start;
    i128 start, divisor; /* the first constant; the common divisor so far, or 0 before the first difference */
} Stride;

static i128 common_divisor(i128 a, i128 b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        i128 r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static void add_constant(Stride *s, i128 value) {
    if (s->has_start) s->divisor = common_divisor(s->divisor, value - s->start);
    else s->start = value;
    s->has_start = true;
}

/* True if e is the variable plus or minus a constant. *by becomes the constant. */
static bool is_step(const Stride *s, const Expr *e, i128 *by) {
    if (e->op != OP_ADD && e->op != OP_SUB) return false;
    for (unsigned k = 0; k < 2; k++)
        if (e->args[k] == s->variable && expr_is_const(e->args[1 - k]) && (e->op == OP_ADD || k == 0)) {
            *by = (i128)e->args[1 - k]->value;
            return true;
        }
    return false;
}

/* Records that the variable becomes this value. */
static void add_value(Stride *s, const Expr *value) {
    i128 by;
    if (value == s->variable) return;
    if (value->op == OP_ITE) {
        add_value(s, value->args[1]);
        add_value(s, value->args[2]);
    } else if (expr_is_const(value)) {
        add_constant(s, (i128)value->value);
    } else if (is_step(s, value, &by)) {
        s->divisor = common_divisor(s->divisor, by);
        s->steps = true;
    } else {
        s->lost = true;
    }
}

static Stride stride_of(const System *s, unsigned v) {
    Stride stride = {.variable = system_expr(s, v)};
    if (s->variables[v].init) add_value(&stride, s->variables[v].init);
    for (size_t t = 0; t < vec_len(s->threads) && !stride.lost; t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Expr *value = transition_update(&s->threads[t].transitions[i], v);
            if (value) add_value(&stride, value);
        }
    return stride;
}

const Expr **congruence_invariants(const System *s) {
    const Expr **found = NULL;
    Exprs *x = s->exprs;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        if (s->variables[v].symbol->sort->kind != SORT_INT || s->variables[v].hidden) continue;
        Stride r = stride_of(s, v);
        if (r.lost || !r.steps || !r.has_start || r.divisor < 2) continue;
        i128 rest = (r.start % r.divisor + r.divisor) % r.divisor;
        vec_push(found, expr_eq(x, expr_2(x, OP_MOD, r.variable, expr_int(x, r.divisor)), expr_int(x, rest)));
    }
    return found;
}

/* ---- ranges ---- */

static bool is_unsigned_global(const SystemVariable *v) {
    enum { FEWEST_BITS = 16 }; /* narrower variables are usually flags */
    const Variable *o = v->origin;
    return v->thread == NONE && !v->hidden && o && o->sort->kind == SORT_BV && o->sort->width >= FEWEST_BITS && o->sort->width <= 64 &&
           !o->is_signed && !o->congruent;
}

static size_t times_set(const System *s, unsigned v) {
    size_t n = 0;
    system_each_transition(const Transition, tr, s) n += transition_update(tr, v) != NULL;
    return n;
}

const Expr **ranges_set_once(const System *s) {
    const Expr **found = NULL;
    Exprs *x = s->exprs;
    for (unsigned v = 0; v < vec_len(s->variables) && s->integers; v++) {
        if (!is_unsigned_global(&s->variables[v]) || times_set(s, v) != 1) continue;
        const Expr *e = system_expr(s, v), *most = expr_int(x, ((i128)1 << s->variables[v].origin->sort->width) - 1);
        vec_push(found, expr_2(x, OP_SLE, expr_int(x, 0), e));
        vec_push(found, expr_2(x, OP_SLE, e, most));
    }
    return found;
}
