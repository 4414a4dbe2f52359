/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the largest inductive subset of candidate facts about predicates (Houdini: Flanagan and Leino, "Houdini, an Annotation Assistant for
   ESC/Java", FME 2001).

   All candidates are assumed at first. A model may satisfy the body of a clause but not some candidates of its head. These candidates are then
   removed, until all clauses hold. The remaining candidates are inductive, and include every other inductive subset.
   Unlike Spacer, Houdini does not need to generalise from single steps, so loops with large bounds cost nothing. */
#include "engine/horn/clauses.h"
#include "base/clock.h"
#include "base/vec.h"

enum { MAX_CANDIDATES = 160, CHECK_MS = 2000 };

/* ---- facts of atoms ---- */

typedef struct Image {
    const HoudiniFacts *facts;
    const Expr *atom;
} Image;

static const Expr *argument_image(void *context, const Expr *e) {
    const Image *i = context;
    for (unsigned k = 0; k < i->atom->nargs; k++)
        if (i->facts->arguments[k] == e->symbol) return i->atom->args[k];
    return NULL;
}

static const HoudiniFacts *facts_of(const HoudiniFacts *list, size_t n, const Symbol *predicate) {
    for (size_t i = 0; i < n; i++)
        if (list[i].predicate == predicate) return &list[i];
    return NULL;
}

static const Expr *instance(Exprs *x, const HoudiniFacts *f, const Expr *fact, const Expr *atom) {
    Image i = {f, atom};
    return expr_substitute(x, fact, argument_image, &i);
}

const Expr *houdini_formula(Exprs *x, const HoudiniFacts *list, size_t n, const Expr *atom) {
    const HoudiniFacts *f = facts_of(list, n, atom->symbol);
    const Expr *e = expr_bool(x, true);
    for (size_t i = 0; f && i < vec_len(f->facts); i++) e = expr_and(x, e, instance(x, f, f->facts[i], atom));
    return e;
}

/* ---- the fixpoint ---- */

static const Expr *body_of(Exprs *x, const HornClause *c, const HoudiniFacts *list, size_t n) {
    const Expr *e = c->constraint;
    for (size_t i = 0; i < vec_len(c->body); i++) e = expr_and(x, e, houdini_formula(x, list, n, c->body[i]));
    return e;
}

/* Drops the facts of the head's predicate that this clause does not preserve. Returns true if a fact was dropped. */
static bool weaken(Exprs *x, Smt *smt, const HornClause *c, HoudiniFacts *list, size_t n) {
    HoudiniFacts *head = (HoudiniFacts *)facts_of(list, n, c->head->symbol);
    bool dropped = false;
    if (!head || !vec_len(head->facts)) return false;
    Solver *v = solver_new(smt, CHECK_MS);
    solver_assert(v, body_of(x, c, list, n));
    for (;;) {
        const Expr *some = expr_bool(x, false);
        for (size_t i = 0; i < vec_len(head->facts); i++) some = expr_or(x, some, expr_not(x, instance(x, head, head->facts[i], c->head)));
        if (expr_is_false(some)) break;
        solver_push(v);
        solver_assert(v, some);
        SmtAnswer a = solver_check(v);
        const Expr **kept = NULL;
        for (size_t i = 0; i < vec_len(head->facts) && a != SMT_UNSAT; i++) {
            const Expr *value = a == SMT_SAT ? solver_value(v, instance(x, head, head->facts[i], c->head)) : NULL;
            if (value && expr_is_true(value)) vec_push(kept, head->facts[i]);
        }
        solver_pop(v);
        if (a == SMT_UNSAT) break;
        bool fewer = vec_len(kept) < vec_len(head->facts);
        vec_free(head->facts);
        head->facts = kept;
        dropped = true;
        if (!fewer) vec_clear(head->facts); /* a model makes a fact false, so this does not occur; it ensures that the loop ends */
    }
    solver_free(v);
    return dropped;
}

bool houdini(Horn *h, Smt *smt, HoudiniFacts *list, size_t n, double seconds, bool *solved) {
    Exprs *x = horn_exprs(h);
    double deadline = clock_seconds() + seconds;
    *solved = false;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < horn_clauses(h); i++) {
            if (clock_seconds() > deadline) return false;
            if (horn_get(h, i)->head) again |= weaken(x, smt, horn_get(h, i), list, n);
        }
    }
    *solved = true;
    for (size_t i = 0; i < horn_clauses(h) && *solved; i++)
        if (!horn_get(h, i)->head) *solved = smt_check(smt, CHECK_MS, body_of(x, horn_get(h, i), list, n)) == SMT_UNSAT;
    return true;
}

/* ---- candidates ---- */

static void add(HoudiniFacts *f, const Expr *e) {
    if (!expr_is_const(e) && vec_len(f->facts) < MAX_CANDIDATES) vec_push(f->facts, e);
}

static void compare(Exprs *x, HoudiniFacts *f, const Expr *a, const Expr *b, Op less) {
    add(f, expr_eq(x, a, b));
    add(f, expr_2(x, less, a, b));
    add(f, expr_2(x, less, b, a));
}

void houdini_candidates(Exprs *x, HoudiniFacts *f, const Expr *const *constants) {
    for (size_t i = 0; i < vec_len(f->arguments); i++) {
        const Expr *v = expr_symbol(x, f->arguments[i]);
        SortKind kind = v->sort->kind;
        if (kind == SORT_BOOL) {
            add(f, v);
            add(f, expr_not(x, v));
        }
        if (kind != SORT_INT && kind != SORT_BV) continue;
        Op less = kind == SORT_INT || f->arguments[i]->sign > 0 ? OP_SLE : OP_ULE;
        for (size_t c = 0; c < vec_len(constants); c++)
            if (constants[c]->sort == v->sort) compare(x, f, v, constants[c], less);
    }
    for (size_t i = 0; i < vec_len(f->arguments); i++)
        for (size_t k = i + 1; k < vec_len(f->arguments); k++) {
            const Symbol *a = f->arguments[i], *b = f->arguments[k];
            if (a->sort != b->sort || (a->sort->kind != SORT_INT && a->sort->kind != SORT_BV)) continue;
            compare(x, f, expr_symbol(x, a), expr_symbol(x, b), a->sort->kind == SORT_INT || a->sign > 0 ? OP_SLE : OP_ULE);
        }
}
