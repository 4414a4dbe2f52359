/* SPDX-License-Identifier: Apache-2.0 */
/* Finds assertions that imply a clause of inequalities.

   By Farkas' lemma, a clause holds if a sum of its negated inequalities is impossible: if λ₁e₁ + … + λₙeₙ >= 1 then not all eᵢ <= 0. Such a
   sum relates the inequalities to each other, and often holds on longer paths as well. An equality is still better, with the value that the
   sum has on the path. Next come differences of variables, then the clause itself. Bounds by constants would only hold on this path, so
   they are not tried. */
#include "interpolation/internal.h"
#include <stdlib.h>

enum { MOST_LITERALS = 5, MOST_TRIES = 12, MOST_VARIABLES = 12 };

/* ---- sums ---- */

/* The negation of a literal: sum <= 0 or, for an equality, sum = 0 */
typedef struct Negated {
    Linear sum;
    bool equality;
} Negated;

static bool negated_literal(Interpolator *p, const Expr *literal, Negated *n) {
    Linear l;
    const Expr *atom = literal->op == OP_NOT ? literal->args[0] : literal;
    if (!is_integer_comparison(atom) || (atom->op == OP_EQ) != (literal->op == OP_NOT)) return false;
    if (!linear_of_atom(p->exprs, atom, &l, &n->equality)) return false;
    if (n->equality) {
        n->sum = l;
        return true;
    }
    bool ok = linear_subtract(1, &l, &n->sum);
    linear_free(&l);
    if (!ok) linear_free(&n->sum);
    return ok;
}

typedef struct Factors {
    int of[MOST_LITERALS];
    int cost;
} Factors;

static int by_cost(const void *a, const void *b) {
    const Factors *x = a, *y = b;
    if (x->cost != y->cost) return x->cost - y->cost;
    for (int i = 0; i < MOST_LITERALS; i++) /* factors of the first literals decide first, in the order 1, -1, 0, 2, -2 */
        if (x->of[i] != y->of[i]) {
            static const int order[] = {4, 1, 2, 0, 3}; /* for -2 … 2 */
            return order[x->of[i] + 2] - order[y->of[i] + 2];
        }
    return 0;
}

static int cost_of(const Factors *f, size_t n) {
    int cost = 0;
    for (size_t i = 0; i < n; i++) {
        int size = abs(f->of[i]);
        cost += (size > 1 ? 2 * size : 0) + (size == 0) + (f->of[i] < 0);
    }
    return cost;
}

/* Returns a vec of all factors to try, the simplest first. */
static Factors *factors_for(const Negated *list) {
    static const int any[] = {1, -1, 0, 2, -2}, positive[] = {1, 0, 2};
    size_t n = vec_len(list), digits[MOST_LITERALS] = {0};
    Factors *all = NULL;
    for (bool more = true; more;) {
        Factors f = {.cost = 0};
        bool zero = true;
        for (size_t i = 0; i < n; i++) {
            f.of[i] = list[i].equality ? any[digits[i]] : positive[digits[i]];
            zero &= !f.of[i];
        }
        f.cost = cost_of(&f, n);
        if (!zero) vec_push(all, f);
        more = false;
        for (size_t i = n; i-- > 0 && !more;) {
            more = ++digits[i] < (list[i].equality ? 5u : 3u);
            if (!more) digits[i] = 0;
        }
    }
    qsort(all, vec_len(all), sizeof *all, by_cost);
    return all;
}

static bool sum_of(const Negated *list, const Factors *f, Linear *sum) {
    *sum = (Linear){.sort = list[0].sum.sort};
    for (size_t i = 0; i < vec_len(list); i++)
        if (f->of[i] && !linear_add(sum, f->of[i], &list[i].sum)) {
            linear_free(sum);
            return false;
        }
    return true;
}

/* Returns the formula sum >= 1. */
static const Expr *positive_formula(Interpolator *p, const Linear *sum) {
    Linear turned;
    const Expr *e = linear_subtract(1, sum, &turned) ? normalise(p->normaliser, linear_not_positive(p->exprs, &turned)) : NULL;
    linear_free(&turned);
    return e;
}

/* Returns the formula sum = value. */
static const Expr *value_formula(Interpolator *p, const Linear *sum, const Expr *value) {
    Linear own = {.sort = sum->sort}, constant;
    linear_of(p->exprs, value, &constant);
    const Expr *e = NULL;
    if (linear_add(&own, 1, sum) && linear_add(&own, -1, &constant)) e = normalise(p->normaliser, linear_is_zero(p->exprs, &own));
    linear_free(&own);
    linear_free(&constant);
    return e;
}

/* Returns an assertion that implies sum >= 1 if the path does, or NULL. The assertion is an equality if the sum has one value on the path.
   *tries counts the questions about the path. */
static const Expr *assertion_of_sum(PathPosition *a, const Linear *sum, int *tries) {
    Interpolator *p = a->by;
    const Expr *positive = positive_formula(p, sum), *value = positive ? path_position_value(a, positive) : NULL;
    bool differs = positive && !value; /* the executions differ, so it is not implied */
    if (!positive || differs || !expr_is_true(value)) return NULL;
    ++*tries;
    if (!path_position_implies(a, positive)) return NULL;
    value = path_position_value(a, linear_expr(p->exprs, sum));
    const Expr *equality = value && expr_is_const(value) ? value_formula(p, sum, value) : NULL;
    return equality && !expr_is_const(equality) && path_position_implies(a, equality) ? equality : positive;
}

static const Expr *combination(PathPosition *a, const Negated *list) {
    const Expr *found = NULL;
    int tries = 0;
    Linear sum;
    Factors *all = factors_for(list);
    for (size_t i = 0; i < vec_len(all) && !found && tries < MOST_TRIES; i++) {
        if (!sum_of(list, &all[i], &sum)) continue;
        found = assertion_of_sum(a, &sum, &tries);
        linear_free(&sum);
        if (found && expr_is_const(found)) found = NULL;
    }
    vec_free(all);
    return found;
}

static bool by_combination(PathPosition *a, const Expr *const *clause, const Expr ***found) {
    Negated *list = NULL;
    for (size_t i = 0; i < vec_len(clause); i++) {
        Negated n;
        if (negated_literal(a->by, clause[i], &n)) vec_push(list, n);
    }
    bool fits = vec_len(list) >= 1 && vec_len(list) <= MOST_LITERALS;
    const Expr *e = fits ? combination(a, list) : NULL;
    if (e) vec_push(*found, e);
    for (size_t i = 0; i < vec_len(list); i++) linear_free(&list[i].sum);
    vec_free(list);
    return e != NULL;
}

/* ---- differences of variables ---- */

/* Returns the formula x - y <= c. */
static const Expr *difference(Interpolator *p, unsigned x, unsigned y, i128 c) {
    const Expr *left = system_expr(p->system, x), *right = expr_2(p->exprs, OP_ADD, system_expr(p->system, y), expr_int(p->exprs, c));
    return normalise(p->normaliser, expr_2(p->exprs, OP_SLE, left, right));
}

static bool is_data(Interpolator *p, const Expr *literal) {
    Negated n;
    if (formula_contains(literal, OP_SELECT) || formula_contains(literal, OP_APPLY)) return true;
    if (!negated_literal(p, literal, &n)) return true;
    linear_free(&n.sum);
    return false;
}

/* Returns the integer variables of the clause, as a vec. wide: also the variables that the initial condition, or the guard of the first
   step, relates to them. */
static unsigned *variables_of(PathPosition *a, const Expr *clause, bool wide) {
    Interpolator *p = a->by;
    const uint64_t *set = formula_support(p, clause);
    unsigned *list = NULL;
    for (unsigned v = 0; v < vec_len(p->system->variables); v++) {
        if (p->system->variables[v].symbol->sort->kind != SORT_INT) continue;
        bool in = formula_has(set, v);
        for (size_t i = 0; wide && !in && i < vec_len(a->path->guards); i++) {
            const PathGuard *g = &a->path->guards[i];
            in = (g->step == NONE || g->step == 0) && formula_has(formula_support(p, g->condition), v) &&
                 formula_shares(p, g->condition, set);
        }
        if (in) vec_push(list, v);
    }
    return list;
}

/* Appends x <= y and x < y for the variables, each in a disjunction with `beside`, if this is not NULL. The Choice keeps the last one if
   each of two is enough. So the weaker difference is kept in a disjunction, and the stronger one alone. */
static void add_differences(Interpolator *p, const unsigned *variables, const Expr *beside, const Expr ***candidates) {
    for (size_t i = 0; i < vec_len(variables); i++)
        for (size_t k = 0; k < vec_len(variables); k++)
            for (int strict = 0; strict < 2 && i != k; strict++) {
                const Expr *e = difference(p, variables[i], variables[k], (strict != 0) != (beside != NULL) ? -1 : 0);
                if (beside) e = normalise(p->normaliser, expr_or(p->exprs, e, beside));
                if (!expr_is_const(e)) vec_push(*candidates, e);
            }
}

/* Returns differences of the clause's variables, as a vec: in a disjunction with the literals about data (arrays, functions, nonlinear
   terms), and alone. */
static const Expr **differences_for(PathPosition *a, const Expr *const *clause, const Expr *whole) {
    Interpolator *p = a->by;
    const Expr **candidates = NULL, **data = NULL;
    for (size_t i = 0; i < vec_len(clause); i++)
        if (is_data(p, clause[i])) vec_push(data, clause[i]);
    unsigned *own = variables_of(a, whole, false), *wide = variables_of(a, whole, true);
    if (vec_len(data) && vec_len(data) < vec_len(clause) && vec_len(own) <= MOST_VARIABLES)
        add_differences(p, own, normalise_or(p->normaliser, vec_len(data), data), &candidates);
    if (vec_len(wide) <= MOST_VARIABLES) add_differences(p, wide, NULL, &candidates);
    vec_free(own);
    vec_free(wide);
    vec_free(data);
    return candidates;
}

static bool by_differences(PathPosition *a, const Expr *const *clause, const Expr *const *given, const Expr *const *more,
                           const Expr ***found) {
    const Expr *whole = normalise_or(a->by->normaliser, vec_len(clause), clause);
    const Expr **candidates = differences_for(a, clause, whole);
    Choice c;
    choice_open(&c, a, whole, given);
    choice_add(&c, more, true);
    bool yes = choice_add(&c, candidates, false) && choice_settle(&c, false, found);
    choice_close(&c);
    vec_free(candidates);
    return yes;
}

/* ---- a clause ---- */

static const Expr *whole_clause(Interpolator *p, const Expr *const *clause) { return normalise_or(p->normaliser, vec_len(clause), clause); }

/* Returns a copy of the clause with another literal at this index. */
static const Expr **with_literal(const Expr *const *clause, size_t at, const Expr *literal) {
    const Expr **list = NULL;
    for (size_t i = 0; i < vec_len(clause); i++) vec_push(list, i == at ? literal : clause[i]);
    return list;
}

/* Appends the assertions for the half, if they are more than the half itself. */
static bool imply_half(PathPosition *a, const Expr *const *half, const Expr *const *given, const Expr *const *more, const Expr ***found) {
    const Expr **own = NULL;
    farkas_imply_clause(a, half, given, more, &own);
    bool better = vec_len(own) != 1 || own[0] != whole_clause(a->by, half);
    for (size_t i = 0; better && i < vec_len(own); i++) vec_push(*found, own[i]);
    vec_free(own);
    return better;
}

/* Splits an equality of integers into two inequalities, with a clause for each. False if the clause has no equality. */
static bool split_equality(PathPosition *a, const Expr *const *clause, const Expr *const *given, const Expr *const *more,
                           const Expr ***found) {
    Interpolator *p = a->by;
    size_t at = 0;
    while (at < vec_len(clause) && !(clause[at]->op == OP_EQ && is_integer_comparison(clause[at]))) at++;
    if (at == vec_len(clause)) return false;
    const Expr *left = clause[at]->args[0], *right = clause[at]->args[1];
    const Expr **up = with_literal(clause, at, normalise(p->normaliser, expr_2(p->exprs, OP_SLE, left, right)));
    const Expr **down = with_literal(clause, at, normalise(p->normaliser, expr_2(p->exprs, OP_SLE, right, left)));
    bool better_up = imply_half(a, up, given, more, found), better_down = imply_half(a, down, given, more, found);
    if (!better_up || !better_down) vec_push(*found, whole_clause(p, better_up ? down : better_down ? up : clause));
    vec_free(up);
    vec_free(down);
    return true;
}

void farkas_imply_clause(PathPosition *a, const Expr *const *clause, const Expr *const *given, const Expr *const *more,
                         const Expr ***found) {
    ensure(vec_len(clause));
    if (split_equality(a, clause, given, more, found) || by_combination(a, clause, found) || by_differences(a, clause, given, more, found))
        return;
    vec_push(*found, whole_clause(a->by, clause));
}
