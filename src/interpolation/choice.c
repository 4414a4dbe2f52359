/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses few assertions that hold at a place and imply a goal.

   A question about the whole path (does an assertion hold?) is expensive, and a question about one step (do assertions imply the goal?) is
   cheap. So assertions that no known execution refutes are assumed to hold, until few of them imply the goal. The path is asked about these
   few only. */
#include "interpolation/internal.h"

enum { MOST_MINIMISED = 40 };

void choice_open(Choice *c, PathPosition *a, const Expr *goal, const Expr *const *given) {
    ensure(expr_is_formula(goal));
    *c = (Choice){.by = a->by, .place = a, .seen = map_new()};
    solver_push(a->by->steps);
    solver_assert(a->by->steps, expr_not(a->by->exprs, goal));
    for (size_t i = 0; i < vec_len(given); i++) solver_assert(a->by->steps, given[i]);
}

void choice_close(Choice *c) {
    solver_pop(c->by->steps);
    vec_free(c->candidates);
    map_free(c->seen);
}

bool choice_add(Choice *c, const Expr *const *list, bool certain) {
    Interpolator *p = c->by;
    size_t before = vec_len(c->candidates);
    for (size_t i = 0; i < vec_len(list); i++) {
        if (expr_is_const(list[i]) || map_find(c->seen, list[i])) continue;
        map_set(c->seen, list[i], list[i]);
        if (!certain && !path_position_possible(c->place, list[i])) continue;
        solver_assert(p->steps, expr_implies(p->exprs, path_literal(p, vec_len(c->candidates)), list[i]));
        vec_push(c->candidates, ((Candidate){.assertion = list[i], .certain = certain}));
    }
    return vec_len(c->candidates) > before;
}

void choice_retire(Choice *c, size_t from) {
    ensure(from <= vec_len(c->candidates));
    for (size_t i = from; i < vec_len(c->candidates); i++) {
        c->candidates[i].refuted = true;
        map_set(c->seen, c->candidates[i].assertion, NULL);
    }
}

/* ---- assertions that imply the goal ---- */

static void leave_out_all_but_core(Choice *c, const size_t *assumed) {
    bool *core = NULL;
    vec_resize(core, vec_len(assumed));
    if (vec_len(assumed)) solver_core(c->by->steps, vec_len(assumed), core);
    for (size_t i = 0; i < vec_len(assumed); i++) c->candidates[assumed[i]].left_out = !core[i];
    vec_free(core);
}

/* True if the candidates that are not left out imply the goal. Then those outside of the core are left out, too. */
static bool enough(Choice *c) {
    const Expr **literals = NULL;
    size_t *assumed = NULL;
    for (size_t i = 0; i < vec_len(c->candidates); i++)
        if (!c->candidates[i].left_out) {
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
    if (c->candidates[i].left_out || ++*tried > MOST_MINIMISED) return;
    c->candidates[i].left_out = true;
    if (!enough(c)) c->candidates[i].left_out = false;
}

/* Leaves out candidates as long as those that remain imply the goal. False if all that are not refuted do not. */
static bool narrow(Choice *c, bool prefer_first) {
    size_t n = vec_len(c->candidates), tried = 0;
    for (size_t i = 0; i < n; i++) c->candidates[i].left_out = c->candidates[i].refuted;
    if (!enough(c)) return false;
    for (size_t i = 0; i < n; i++) try_without(c, prefer_first ? n - 1 - i : i, &tried);
    return true;
}

/* ---- assertions that hold ---- */

static const Expr **not_left_out(const Choice *c, bool certain_too) {
    const Expr **list = NULL;
    vec_each_at(const Candidate, k, c->candidates)
        if (!k->left_out && (certain_too || !k->certain)) vec_push(list, k->assertion);
    return list;
}

/* Marks the candidates that the new execution refutes. If it refutes none of the needed ones, each of these is asked separately. */
static void refute(Choice *c) {
    bool some = false;
    vec_each_at(Candidate, k, c->candidates) {
        if (k->refuted || k->certain || path_position_possible(c->place, k->assertion)) continue;
        k->refuted = true;
        some |= !k->left_out;
    }
    for (size_t i = 0; i < vec_len(c->candidates) && !some; i++) { /* there was no new execution */
        Candidate *k = &c->candidates[i];
        if (!k->left_out && !k->certain) k->refuted = !path_position_implies(c->place, k->assertion);
    }
}

bool choice_settle(Choice *c, bool prefer_first, const Expr ***found) {
    while (narrow(c, prefer_first)) {
        const Expr **doubted = not_left_out(c, false), **all = not_left_out(c, true);
        bool yes = path_position_implies_all(c->place, doubted);
        for (size_t i = 0; yes && i < vec_len(all); i++) vec_push(*found, all[i]);
        vec_free(doubted);
        vec_free(all);
        if (yes) return true;
        refute(c);
    }
    return false;
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
