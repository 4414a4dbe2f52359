/* SPDX-License-Identifier: Apache-2.0 */
/* Writes comparisons with 0 as orders where the type excludes negative numbers: 0 < x for x != 0, and x <= 0 for x == 0. An order stays
   true when the smaller side decreases, so interpolants with orders more often hold in the next round of a loop as well.

   requires  a system
   ensures   the same executions: each guard has the same truth value if the variables are in the range of their types
   breaks    movers and blocks, formally: guards are other expressions */
#include "passes/system/system_passes.h"

enum { FEWEST_BITS = 16 }; /* narrower numbers are flags and characters */

typedef struct Rewriting {
    const System *system;
    const Transition *transition;
    bool *word; /* by variable: true for a mutex or a status */
    Map *seen;  /* Expr → Expr */
} Rewriting;

static bool is_unsigned(const Variable *v) {
    const Sort *s = v ? v->sort : NULL;
    while (s && s->kind == SORT_ARRAY) s = s->element;
    return s && s->kind == SORT_BV && s->width >= FEWEST_BITS && s->width <= 64 && !v->is_signed && !v->congruent;
}

/* True if some conjunct of e implies 0 <= input. */
static bool is_bounded(const Expr *e, const Expr *input) {
    if (e->op == OP_SLE) return expr_is_const(e->args[0]) && (i128)e->args[0]->value >= 0 && e->args[1] == input;
    for (unsigned i = 0; i < e->nargs && e->op == OP_AND; i++)
        if (is_bounded(e->args[i], input)) return true;
    return false;
}

static bool is_natural(const Rewriting *r, const Expr *e) {
    const Expr *base = e->op == OP_SELECT ? e->args[0] : e;
    if (e->sort->kind != SORT_INT || base->op != OP_SYMBOL) return false;
    unsigned v = system_variable(r->system, base->symbol);
    if (v == NONE) return is_bounded(r->transition->guard, e);
    return !r->word[v] && is_unsigned(r->system->variables[v].origin);
}

static bool is_zero(const Expr *e) { return expr_is_const(e) && !e->value; }

static const Expr *ordered(Rewriting *r, const Expr *e);

static const Expr *ordered_new(Rewriting *r, const Expr *e) {
    Exprs *x = r->system->exprs;
    for (unsigned k = 0; k < 2 && e->op == OP_EQ; k++)
        if (is_zero(e->args[1 - k]) && is_natural(r, e->args[k])) return expr_2(x, OP_SLE, e->args[k], e->args[1 - k]);
    const Expr *args[e->nargs];
    bool same = true;
    for (unsigned i = 0; i < e->nargs; i++) same &= (args[i] = ordered(r, e->args[i])) == e->args[i];
    return same || e->op == OP_APPLY || e->op == OP_EXTRACT || e->op == OP_CONST_ARRAY ? e : expr_make(x, e->op, e->flags, e->nargs, args);
}

static const Expr *ordered(Rewriting *r, const Expr *e) {
    const Expr *known = e->nargs ? map_find(r->seen, e) : e;
    if (known) return known;
    known = ordered_new(r, e);
    map_set(r->seen, e, known);
    return known;
}

static bool *words(const System *s) {
    bool *word = NULL;
    vec_resize(word, vec_len(s->variables));
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        if (s->threads[t].status != NONE) word[s->threads[t].status] = true;
        vec_each_at(const Transition, tr, s->threads[t].transitions) {
            if (tr->lock != NONE) word[tr->lock] = true;
            if (tr->unlock != NONE) word[tr->unlock] = true;
        }
    }
    return word;
}

void orders_by_type(System *s) {
    Rewriting r = {.system = s, .word = words(s)};
    for (size_t t = 0; t < vec_len(s->threads) && s->integers; t++)
        vec_each_at(Transition, tr, s->threads[t].transitions) {
            r.transition = tr;
            r.seen = map_new(); /* the bounds of an input depend on the transition */
            const Expr *guard = ordered(&r, tr->guard);
            for (size_t u = 0; u < vec_len(tr->updates); u++) tr->updates[u].value = ordered(&r, tr->updates[u].value);
            tr->guard = guard;
            map_free(r.seen);
        }
    vec_free(r.word);
}
