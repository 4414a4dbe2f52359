/* SPDX-License-Identifier: Apache-2.0 */
/* Computes interpolants by unsatisfiable core and weakest precondition (Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in
   Software Model Checking", FSE 2017).

   Only the guards in the core of the shortest impossible prefix are kept. Then, from the last of them back to the start, each set of
   assertions implies the weakest precondition of the next set. Deviation: the assertions are not the precondition itself but simpler ones
   (tiers.c), and Spacer helps where stores nest (chain.c). */
#include "interpolation/interpolate.h"
#include "interpolation/internal.h"
#include <stdlib.h>

enum { PATH_MS = 10000, STEP_MS = 5000, LARGEST_GUARD = 60, TOO_MANY_CHOICES = 2, MOST_FAILED_CHAINS = 5 };

/* Records the conjuncts of a guard, which are often useful assertions elsewhere. (A path may end with a guard that is not the program's.) */
static void remember_guards(Interpolator *p, const Expr *guard, const Symbol *const *inputs) {
    const Expr **conjuncts = NULL;
    normalise_conjuncts(p->normaliser, guard, &conjuncts);
    vec_each(const Expr *, c, conjuncts) {
        if (map_find(p->is_guard, c) || expr_is_const(c) || c->tree > LARGEST_GUARD || project_mentions(c, inputs)) continue;
        map_set(p->is_guard, c, c);
        vec_push(p->guards, c);
    }
    vec_free(conjuncts);
}

Interpolator *interpolator_new(const System *s, Smt *smt) {
    Interpolator *p = zeroed(1, sizeof *p);
    p->system = s;
    p->exprs = s->exprs;
    p->smt = smt;
    p->normaliser = normaliser_new(s->exprs);
    p->paths = solver_small(smt, PATH_MS);
    p->steps = solver_small(smt, STEP_MS);
    p->copies = map_new();
    p->is_preferred = map_new();
    p->is_guard = map_new();
    p->supports = map_new();
    p->arena = arena_new();
    vec_resize(p->versions, vec_len(s->variables));
    system_each_transition(const Transition, tr, s) remember_guards(p, tr->guard, tr->inputs);
    return p;
}

void interpolator_free(Interpolator *p) {
    if (!p) return;
    vec_free_rows(p->versions);
    vec_free_rows(p->copy_lists);
    vec_free(p->literals);
    vec_free(p->preferred);
    vec_free(p->guards);
    map_free(p->copies);
    map_free(p->is_preferred);
    map_free(p->is_guard);
    map_free(p->supports);
    arena_free(p->arena);
    solver_free(p->paths);
    solver_free(p->steps);
    normaliser_free(p->normaliser);
    free(p);
}

void interpolator_prefer(Interpolator *p, const Expr *e) {
    const Expr **conjuncts = NULL;
    normalise_conjuncts(p->normaliser, e, &conjuncts);
    for (size_t i = 0; i < vec_len(conjuncts); i++)
        if (!map_find(p->is_preferred, conjuncts[i])) {
            map_set(p->is_preferred, conjuncts[i], conjuncts[i]);
            vec_push(p->preferred, conjuncts[i]);
        }
    vec_free(conjuncts);
}

/* ---- one step back ---- */

typedef struct Before {
    Interpolator *by;
    const PathStep *step;
} Before;

static const Expr *updated(void *context, const Expr *e) {
    const Interpolator *p = ((const Before *)context)->by;
    const PathStep *s = ((const Before *)context)->step;
    unsigned v = system_variable(p->system, e->symbol);
    for (size_t u = 0; v != NONE && u < vec_len(s->updates); u++)
        if (s->updates[u].variable == v) return s->updates[u].value;
    return NULL;
}

/* Returns e after the step, over the variables before it. */
static const Expr *step_after(Interpolator *p, const PathStep *s, const Expr *e) {
    Before b = {p, s};
    return expr_substitute(p->exprs, e, updated, &b);
}

/* Returns the condition before step k under which the goal holds after it, if the step's guards in the core hold. */
static const Expr *precondition(Path *p, size_t k, const Expr *const *goal) {
    Interpolator *by = p->by;
    const Expr **all = NULL, **any = NULL;
    for (size_t i = 0; i < vec_len(goal); i++) vec_push(all, step_after(by, &p->steps[k], goal[i]));
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && p->guards[i].step == k) vec_push(any, normalise_not(by->normaliser, p->guards[i].condition));
    vec_push(any, normalise_and(by->normaliser, vec_len(all), all));
    const Expr *e = normalise_or(by->normaliser, vec_len(any), any);
    vec_free(all);
    vec_free(any);
    return e;
}

static bool same_list(const Expr *const *a, const Expr *const *b) {
    bool same = vec_len(a) == vec_len(b);
    for (size_t i = 0; same && i < vec_len(a); i++) {
        bool there = false;
        for (size_t k = 0; k < vec_len(b) && !there; k++) there = a[i] == b[k];
        same = there;
    }
    return same;
}

static bool knows_something_of(Interpolator *p, const Expr *const *known, const Expr *e) {
    for (size_t i = 0; i < vec_len(known); i++)
        if (formula_shares(p, known[i], formula_support(p, e))) return true;
    return false;
}

/* Finds assertions at position k that imply those at k + 1 after the step. False if none were found. */
static bool step_back(Path *p, size_t k, const Expr *const *known, const Expr ***at) {
    const Expr *goal = precondition(p, k, at[k + 1]), **conjuncts = NULL;
    bool ok = true;
    if (expr_is_true(goal)) return true;
    normalise_conjuncts(p->by->normaliser, goal, &conjuncts);
    /* If the step does not change the assertions, they are kept. */
    if (same_list(conjuncts, at[k + 1]) && !knows_something_of(p->by, known, goal)) {
        at[k] = conjuncts;
        return true;
    }
    PathPosition a;
    path_position_open(&a, p, k);
    ok = tiers_choose(&a, goal, known, at[k + 1], &at[k]);
    path_position_free(&a);
    vec_free(conjuncts);
    return ok;
}

static void fill_false(Interpolator *p, const Expr ***at, size_t from) {
    for (size_t i = from; i < vec_len(at); i++) vec_push(at[i], expr_bool(p->exprs, false));
}

static bool holds_initially(Path *p, const Expr *initially, const Expr *const *assertions) {
    const Expr **start = NULL;
    vec_push(start, initially);
    bool yes = choice_follows(p->by, start, NULL, formula_all(p->by, assertions));
    vec_free(start);
    return yes;
}

/* Goes back from the end of the shortest impossible prefix as long as there are assertions to imply. */
static bool backward(Path *p, const Expr **const *known, const Expr ***at) {
    for (size_t k = p->n; k > 0 && vec_len(at[k]); k--)
        if (!step_back(p, k - 1, known ? known[k - 1] : NULL, at)) return false;
    return true;
}

static bool all_steps_hold(Path *p, const Expr **const *known, const Expr ***at) {
    for (size_t k = 0; k < p->n; k++)
        if (!choice_follows(p->by, known ? known[k] : NULL, at[k], precondition(p, k, at[k + 1]))) return false;
    return true;
}

static size_t choices_in(Map *seen, const Expr *e) {
    if (map_find(seen, e)) return 0;
    map_set(seen, e, e);
    size_t n = e->op == OP_ITE;
    for (unsigned i = 0; i < e->nargs; i++) n += choices_in(seen, e->args[i]);
    return n;
}

/* Returns the largest number of choices (OP_ITE) in one assertion. Nested stores make choices. */
static size_t most_choices(const Expr ***at, size_t n) {
    size_t most = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < vec_len(at[k]); i++) {
            Map *seen = map_new();
            size_t here = choices_in(seen, at[k][i]);
            map_free(seen);
            if (here > most) most = here;
        }
    return most;
}

static void free_lists(const Expr ***at) { vec_free_rows(at); }

static bool ask_spacer(Path *p, const Expr *initially, const Expr **const *known, const Expr ***at) {
    if (p->by->failed_chains > MOST_FAILED_CHAINS) return false;
    bool ok = chain_assertions(p, known, at) && all_steps_hold(p, known, at) && holds_initially(p, initially, at[0]);
    p->by->failed_chains += !ok;
    return ok;
}

/* Finds assertions for the positions of the shortest impossible prefix. Asks Spacer if preconditions fail, or if stores nest. */
static bool find_interpolants(Path *p, const Expr *initially, const Expr **const *known, const Expr ***at) {
    bool ok = backward(p, known, at) && holds_initially(p, initially, at[0]);
    size_t choices = ok ? most_choices(at, p->n) : SIZE_MAX;
    if (choices < TOO_MANY_CHOICES) return true;
    const Expr ***other = NULL;
    vec_resize(other, p->n + 1);
    vec_push(other[p->n], expr_bool(p->by->exprs, false));
    bool better = ask_spacer(p, initially, known, other) && most_choices(other, p->n) < choices;
    for (size_t k = 0; better && k < p->n; k++) {
        const Expr **swap = at[k];
        at[k] = other[k];
        other[k] = swap;
    }
    free_lists(other);
    return ok || better;
}

Interpolants interpolate(Interpolator *by, const Expr *initially, const PathStep *steps, size_t n, const Expr **const *known) {
    Interpolants result = {.answer = PATH_UNKNOWN};
    Path p;
    remember_guards(by, initially, NULL);
    path_open(&p, by, initially, steps, n);
    result.answer = path_refute(&p);
    if (result.answer == PATH_IMPOSSIBLE) {
        ensure(p.n <= n);
        vec_resize(result.at, n + 1);
        fill_false(by, result.at, p.n);
        if (!find_interpolants(&p, initially, known, result.at)) {
            interpolants_free(&result);
            result.answer = PATH_UNKNOWN;
        }
    }
    path_free(&p);
    return result;
}

void interpolants_free(Interpolants *r) {
    free_lists(r->at);
    r->at = NULL;
}
