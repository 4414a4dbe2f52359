/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolants by unsatisfiable core and weakest precondition ("Craig vs. Newton in Software Model Checking", Dietsch, Heizmann,
   Musa, Nutz, Podelski, FSE 2017): the guards of the shortest impossible prefix that matter are kept, the others dropped;
   then, from the last of them back to the start, what must hold before a step so that the goal holds after it. */
#include "refine/interpolate.h"
#include "base/die.h"
#include "refine/internal.h"
#include <stdlib.h>

enum { PATH_MS = 10000, STEP_MS = 5000 };

Interpolator *interpolator_new(const System *s, Smt *smt) {
    Interpolator *p = calloc(1, sizeof *p);
    if (!p) die("out of memory");
    p->system = s;
    p->exprs = s->exprs;
    p->smt = smt;
    p->normaliser = normaliser_new(s->exprs);
    p->paths = solver_small(smt, SMT_INTERPOLATE, PATH_MS);
    p->steps = solver_small(smt, SMT_INTERPOLATE, STEP_MS);
    p->copies = map_new();
    p->is_preferred = map_new();
    vec_resize(p->versions, vec_len(s->variables));
    return p;
}

void interpolator_free(Interpolator *p) {
    if (!p) return;
    for (size_t i = 0; i < vec_len(p->versions); i++) vec_free(p->versions[i]);
    for (size_t i = 0; i < vec_len(p->copy_lists); i++) vec_free(p->copy_lists[i]);
    vec_free(p->versions);
    vec_free(p->copy_lists);
    vec_free(p->literals);
    vec_free(p->preferred);
    map_free(p->copies);
    map_free(p->is_preferred);
    solver_free(p->paths);
    solver_free(p->steps);
    normaliser_free(p->normaliser);
    free(p);
}

void interpolator_prefer(Interpolator *p, const Expr *e) {
    const Expr **conjuncts = NULL;
    normal_conjuncts(p->normaliser, e, &conjuncts);
    for (size_t i = 0; i < vec_len(conjuncts); i++)
        if (!map_find(p->is_preferred, conjuncts[i])) {
            map_set(p->is_preferred, conjuncts[i], conjuncts[i]);
            vec_push(p->preferred, conjuncts[i]);
        }
    vec_free(conjuncts);
}

/* ---- one step back ---- */

static const Expr *updated(void *context, const Expr *e) {
    const Interpolator *p = ((const Before *)context)->by;
    const PathStep *s = ((const Before *)context)->step;
    unsigned v = system_variable(p->system, e->symbol);
    for (size_t u = 0; v != NONE && u < vec_len(s->updates); u++)
        if (s->updates[u].variable == v) return s->updates[u].value;
    return NULL;
}

const Expr *after_step(Interpolator *p, const PathStep *s, const Expr *e) {
    Before b = {p, s};
    return expr_substitute(p->exprs, e, updated, &b);
}

/* What must hold before step k, its guards in the core given, so that the goal holds after it. */
static const Expr *precondition(Path *p, size_t k, const Expr *const *goal) {
    Interpolator *by = p->by;
    const Expr **all = NULL, **any = NULL;
    for (size_t i = 0; i < vec_len(goal); i++) vec_push(all, after_step(by, &p->steps[k], goal[i]));
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && p->guards[i].step == k) vec_push(any, normal_not(by->normaliser, p->guards[i].condition));
    vec_push(any, normal_and(by->normaliser, vec_len(all), all));
    const Expr *e = normal_or(by->normaliser, vec_len(any), any);
    vec_free(all);
    vec_free(any);
    return e;
}

static const Expr *conjunction(Interpolator *p, const Expr *const *list) {
    const Expr *e = expr_bool(p->exprs, true);
    for (size_t i = 0; i < vec_len(list); i++) e = expr_and(p->exprs, e, list[i]);
    return e;
}

/* Do these assertions imply e? */
static bool follows(Interpolator *p, const Expr *const *assertions, const Expr *e) {
    const Expr *doubt = expr_and(p->exprs, conjunction(p, assertions), expr_not(p->exprs, e));
    if (expr_is_const(doubt)) return expr_is_false(doubt);
    solver_push(p->steps);
    solver_assert(p->steps, doubt);
    bool yes = solver_check(p->steps) == SMT_UNSAT;
    solver_pop(p->steps);
    return yes;
}

/* Assertions at position k that imply the precondition e; false if none were found. */
static bool assertions_at(Path *p, size_t k, const Expr *e, const Expr *const *known, const Expr ***at) {
    if (expr_is_true(e) || (vec_len(known) && follows(p->by, known, e))) return true;
    e = without_inputs(p->by, p->steps[k].inputs, e);
    if (!e) return false;
    normal_conjuncts(p->by->normaliser, e, at);
    return true;
}

static void fill_false(Interpolator *p, const Expr ***at, size_t from) {
    for (size_t i = from; i < vec_len(at); i++) vec_push(at[i], expr_bool(p->exprs, false));
}

/* Back from the end of the shortest impossible prefix, as far as there is something to be shown. */
static bool backward(Path *p, const Expr *initially, const Expr **const *known, const Expr ***at) {
    fill_false(p->by, at, p->n);
    for (size_t k = p->n; k-- > 0 && vec_len(at[k + 1]);)
        if (!assertions_at(p, k, precondition(p, k, at[k + 1]), known ? known[k] : NULL, &at[k])) return false;
    const Expr **start = NULL;
    vec_push(start, initially);
    bool ok = follows(p->by, start, conjunction(p->by, at[0]));
    vec_free(start);
    return ok;
}

Interpolants interpolate(Interpolator *by, const Expr *initially, const PathStep *steps, size_t n, const Expr **const *known) {
    Interpolants result = {.answer = PATH_UNKNOWN};
    Path p;
    path_open(&p, by, initially, steps, n);
    result.answer = path_refute(&p);
    if (result.answer == PATH_IMPOSSIBLE) {
        vec_resize(result.at, n + 1);
        if (!backward(&p, initially, known, result.at)) {
            interpolants_free(&result);
            result.answer = PATH_UNKNOWN;
        }
    }
    path_free(&p);
    return result;
}

void interpolants_free(Interpolants *r) {
    for (size_t i = 0; i < vec_len(r->at); i++) vec_free(r->at[i]);
    vec_free(r->at);
}
