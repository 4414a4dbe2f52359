/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions to choose from until they imply a goal; then the fewest of them. */
#include "refine/internal.h"

enum { MOST_MINIMISED = 40 };

void choice_open(Choice *c, Interpolator *by, const Expr *goal, const Expr *const *given) {
    *c = (Choice){.by = by, .seen = map_new()};
    solver_push(by->steps);
    solver_assert(by->steps, expr_not(by->exprs, goal));
    for (size_t i = 0; i < vec_len(given); i++) solver_assert(by->steps, given[i]);
}

void choice_close(Choice *c) {
    solver_pop(c->by->steps);
    vec_free(c->chosen);
    vec_free(c->left_out);
    map_free(c->seen);
}

void choice_add(Choice *c, const Expr *const *list) {
    Interpolator *p = c->by;
    for (size_t i = 0; i < vec_len(list); i++) {
        if (expr_is_const(list[i]) || map_find(c->seen, list[i])) continue;
        map_set(c->seen, list[i], list[i]);
        solver_assert(p->steps, expr_implies(p->exprs, path_literal(p, vec_len(c->chosen)), list[i]));
        vec_push(c->chosen, list[i]);
        vec_push(c->left_out, false);
    }
}

static void leave_out_all_but_core(Choice *c, const size_t *assumed) {
    bool *core = NULL;
    vec_resize(core, vec_len(assumed));
    if (vec_len(assumed)) solver_core(c->by->steps, vec_len(assumed), core);
    for (size_t i = 0; i < vec_len(assumed); i++) c->left_out[assumed[i]] = !core[i];
    vec_free(core);
}

bool choice_enough(Choice *c) {
    const Expr **literals = NULL;
    size_t *assumed = NULL;
    for (size_t i = 0; i < vec_len(c->chosen); i++)
        if (!c->left_out[i]) {
            vec_push(literals, path_literal(c->by, i));
            vec_push(assumed, i);
        }
    bool yes = solver_check_assuming(c->by->steps, vec_len(literals), literals) == SMT_UNSAT;
    if (yes) leave_out_all_but_core(c, assumed);
    vec_free(literals);
    vec_free(assumed);
    return yes;
}

static void try_without(Choice *c, size_t i, size_t *tried) {
    if (c->left_out[i] || ++*tried > MOST_MINIMISED) return;
    c->left_out[i] = true;
    if (!choice_enough(c)) c->left_out[i] = false;
}

void choice_fewest(Choice *c, bool prefer_first, const Expr ***found) {
    size_t n = vec_len(c->chosen), tried = 0;
    for (size_t i = 0; i < n; i++) try_without(c, prefer_first ? n - 1 - i : i, &tried);
    for (size_t i = 0; i < n; i++)
        if (!c->left_out[i]) vec_push(*found, c->chosen[i]);
}

bool choice_follows(Interpolator *p, const Expr *const *assertions, const Expr *const *more, const Expr *e) {
    const Expr *doubt = expr_and(p->exprs, formula_all(p, assertions), expr_not(p->exprs, e));
    if (more) doubt = expr_and(p->exprs, doubt, formula_all(p, more));
    if (expr_is_const(doubt)) return expr_is_false(doubt);
    solver_push(p->steps);
    solver_assert(p->steps, doubt);
    bool yes = solver_check(p->steps) == SMT_UNSAT;
    solver_pop(p->steps);
    return yes;
}
