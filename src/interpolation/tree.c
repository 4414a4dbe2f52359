/* SPDX-License-Identifier: Apache-2.0 */
/* Solves Horn clauses without recursion, by Farkas' lemma on the tree of their instances.

   The clauses are unfolded from the query. Each use of a predicate is an instance of its clause, with variables of its own, and hands on
   the values of the predicate's arguments. Conditions are rows: sums that are at most 0, or equal 0. The rows are contradictory if their
   sum, with some factors, is a positive constant. Factors of inequalities must not be negative. The weighted rows of an instance and of
   those below it only mention the handed-on values. Their sum is the solution of the instance. A predicate's solution is the conjunction
   over its instances.

   Beyond the paper: a condition may be a choice (x != y, or a disjunction). When a model of the rows violates a choice, each case is solved
   separately. At the choice and above it, the solutions of the cases are joined by ∨, elsewhere by ∧ (doc/rules.md). */
#include "interpolation/tree.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "smt/farkas.h"
#include <stdlib.h>

enum { NONE = ~0u, MOST_INSTANCES = 300, MOST_ROWS = 3000, MOST_CASES = 32, MOST_NEEDED = 120 };

typedef struct Row {
    Linear sum;
    bool equality;
    unsigned owner;      /* the instance of the condition */
    const Expr *literal; /* implies the condition in the solver */
    i128 factor;
} Row;

typedef struct Split {  /* a condition that is a disjunction of cases */
    const Expr **cases; /* a vec */
    unsigned owner;
    bool made;
} Split;

typedef struct Instance {
    const Symbol *predicate; /* NULL for the query */
    const Expr **handed_on;  /* a vec: a symbol for each argument */
    unsigned first;          /* the instance and those below it have the indices from this one to its own */
} Instance;

struct HornTree {
    const Horn *horn;
    Exprs *exprs;
    Smt *smt;
    Normaliser *normaliser;
    double deadline;
    Map *clause_of; /* predicate → index of its clause */
    Instance *instances;
    Row *rows;
    Split *splits;
    Solver *solver; /* has the rows, each behind its literal */
    unsigned cases; /* the number of cases tried so far */
    bool too_large;
    const Expr **solution; /* by instance */
};

/* ---- conditions ---- */

static const Expr *fresh(HornTree *t, const Sort *sort) { return expr_symbol(t->exprs, symbol_new(t->exprs, SYM_VARIABLE, "t", sort)); }

static void add_row(HornTree *t, unsigned owner, const Expr *condition, Linear sum, bool equality) {
    Row r = {.sum = sum, .equality = equality, .owner = owner, .literal = fresh(t, sort_bool(t->exprs))};
    solver_assert(t->solver, expr_implies(t->exprs, r.literal, condition));
    vec_push(t->rows, r);
    t->too_large |= vec_len(t->rows) > MOST_ROWS;
}

static void add_split(HornTree *t, unsigned owner, size_t n, const Expr *const *cases) {
    Split c = {.owner = owner};
    for (size_t i = 0; i < n; i++) vec_push(c.cases, cases[i]);
    vec_push(t->splits, c);
}

/* Adds the conjuncts of e as rows and splits. Conjuncts that are neither linear nor choices are left out, which is sound. */
static void add_condition(HornTree *t, unsigned owner, const Expr *e) {
    const Expr **list = NULL;
    normalise_conjuncts(t->normaliser, e, &list);
    for (size_t i = 0; i < vec_len(list); i++) {
        const Expr *c = list[i], *inner = c->op == OP_NOT ? c->args[0] : c;
        Linear sum;
        bool equality;
        if (c->op == OP_OR) {
            add_split(t, owner, c->nargs, c->args);
        } else if (c->op == OP_NOT && is_integer_comparison(inner) && inner->op == OP_EQ) {
            const Expr *cases[] = {expr_2(t->exprs, OP_SLT, inner->args[0], inner->args[1]),
                                   expr_2(t->exprs, OP_SLT, inner->args[1], inner->args[0])};
            add_split(t, owner, 2, cases);
        } else if (is_integer_comparison(c) && linear_of_atom(t->exprs, c, &sum, &equality)) {
            add_row(t, owner, c, sum, equality);
        } else if (expr_is_false(c)) {
            add_row(t, owner, c, (Linear){.sort = sort_int(t->exprs), .constant = 1}, false);
        }
    }
    vec_free(list);
}

/* ---- the tree ---- */

typedef struct Names {
    HornTree *tree;
    Map *images; /* symbol of the clause → expression of the instance */
} Names;

static const Expr *name(void *context, const Expr *e) {
    Names *n = context;
    const Expr *image = map_find(n->images, e->symbol);
    if (!image) {
        image = fresh(n->tree, e->sort);
        map_set(n->images, e->symbol, image);
    }
    return image;
}

static unsigned unfold(HornTree *, const HornClause *);

/* Unfolds an atom of the body, and equates its handed-on values with the atom's arguments. */
static void use_atom(HornTree *t, Names *names, const Expr *atom, const Expr **equations) {
    uint64_t clause;
    if (!map_get(t->clause_of, map_key(atom->symbol), &clause)) {
        t->too_large = true; /* the predicate has no clause: such trees are given up */
        return;
    }
    unsigned child = unfold(t, horn_get(t->horn, clause));
    for (unsigned i = 0; i < atom->nargs && !t->too_large; i++) {
        const Expr *arg = atom->args[i], *value = t->instances[child].handed_on[i];
        if (arg->op == OP_SYMBOL && !map_find(names->images, arg->symbol)) map_set(names->images, arg->symbol, value);
        else *equations = expr_and(t->exprs, *equations, expr_eq(t->exprs, value, expr_substitute(t->exprs, arg, name, names)));
    }
}

/* Gives each argument of the head a symbol of its own, so that a solution over these symbols is one over the arguments. */
static void hand_on(HornTree *t, unsigned instance, Names *names, const Expr *head, const Expr **equations) {
    for (unsigned i = 0; i < head->nargs; i++) {
        const Expr *value = expr_substitute(t->exprs, head->args[i], name, names), *symbol = value;
        if (value->op != OP_SYMBOL || vec_has(t->instances[instance].handed_on, value)) {
            symbol = fresh(t, value->sort);
            *equations = expr_and(t->exprs, *equations, expr_eq(t->exprs, symbol, value));
        }
        vec_push(t->instances[instance].handed_on, symbol);
    }
}

/* Adds an instance of the clause behind those below it, and returns its index. */
static unsigned unfold(HornTree *t, const HornClause *c) {
    Names names = {t, map_new()};
    unsigned first = (unsigned)vec_len(t->instances);
    const Expr *equations = expr_bool(t->exprs, true);
    t->too_large |= first > MOST_INSTANCES;
    for (size_t i = 0; i < vec_len(c->body) && !t->too_large; i++) use_atom(t, &names, c->body[i], &equations);
    unsigned own = (unsigned)vec_len(t->instances);
    vec_push(t->instances, ((Instance){.predicate = c->head ? c->head->symbol : NULL, .first = first}));
    if (!t->too_large && c->head) hand_on(t, own, &names, c->head, &equations);
    if (!t->too_large) add_condition(t, own, expr_and(t->exprs, equations, expr_substitute(t->exprs, c->constraint, name, &names)));
    map_free(names.images);
    return own;
}

/* ---- factors ---- */

/* Finds factors with which the rows (a vec of indices) make a positive constant. small: factors are at most 1 in size, which makes simpler
   solutions. */
static bool find_factors(HornTree *t, const unsigned *rows, bool small, unsigned milliseconds) {
    Exprs *x = t->exprs;
    Solver *s = solver_new(t->smt, milliseconds);
    const Expr **factors = NULL;
    FarkasSum sum = {0};
    for (size_t i = 0; i < vec_len(rows); i++) {
        const Row *r = &t->rows[rows[i]];
        const Expr *k = fresh(t, sort_int(x)), *least = expr_int(x, !r->equality ? 0 : -1);
        vec_push(factors, k);
        if (small || !r->equality) solver_assert(s, expr_2(x, OP_SLE, least, k));
        if (small) solver_assert(s, expr_2(x, OP_SLE, k, expr_int(x, 1)));
        farkas_add_row(&sum, x, 1, k, &r->sum);
    }
    farkas_assert(&sum, x, s, 1);
    bool found = solver_check(s) == SMT_SAT;
    for (size_t i = 0; i < vec_len(rows) && found; i++) {
        const Expr *value = solver_value(s, factors[i]);
        found = value && expr_is_const(value);
        if (found) t->rows[rows[i]].factor = (i128)value->value;
    }
    solver_free(s);
    vec_free(factors);
    return found;
}

/* ---- solutions ---- */

/* Returns the weighted sum of the rows of the instance and of those below it, as a formula, or NULL after an overflow. */
static const Expr *annotate(const HornTree *t, const unsigned *rows, unsigned instance) {
    Linear sum = {.sort = sort_int(t->exprs)};
    bool good = true;
    for (size_t i = 0; i < vec_len(rows); i++) {
        const Row *r = &t->rows[rows[i]];
        if (!r->factor || r->owner < t->instances[instance].first || r->owner > instance) continue;
        good &= linear_add(&sum, r->factor, &r->sum);
    }
    const Expr *e = good ? linear_not_positive(t->exprs, &sum) : NULL;
    linear_free(&sum);
    return e;
}

static unsigned milliseconds_left(const HornTree *t) {
    double left = (t->deadline - clock_seconds()) * 1000;
    return left < 1 ? 1 : (unsigned)left;
}

/* Returns the solutions by instance, as a vec, or NULL if no factors were found. needed: by row, true if it is in the core. */
static const Expr **solve_rows(HornTree *t, const bool *needed) {
    unsigned *rows = NULL;
    const Expr **list = NULL;
    for (unsigned i = 0; i < vec_len(t->rows); i++)
        if (needed[i]) vec_push(rows, i);
    unsigned limit = milliseconds_left(t);
    bool found =
        vec_len(rows) <= MOST_NEEDED && (find_factors(t, rows, true, limit / 4 + 1) || find_factors(t, rows, false, limit / 2 + 1));
    for (unsigned i = 0; i < vec_len(t->instances) && found; i++) {
        const Expr *e = annotate(t, rows, i);
        found = e != NULL;
        vec_push(list, e);
    }
    vec_free(rows);
    if (found) return list;
    vec_free(list);
    return NULL;
}

/* Returns a choice without a case that holds in the solver's model, or NONE. */
static unsigned violated(HornTree *t) {
    for (unsigned i = 0; i < vec_len(t->splits); i++) {
        bool holds = t->splits[i].made;
        for (size_t k = 0; k < vec_len(t->splits[i].cases) && !holds; k++) {
            const Expr *value = solver_value(t->solver, t->splits[i].cases[k]);
            holds = value && expr_is_true(value);
        }
        if (!holds) return i;
    }
    return NONE;
}

static const Expr **solve(HornTree *);

/* Solves the tree with one case of a choice, and removes its rows and choices afterwards. */
static const Expr **solve_case(HornTree *t, unsigned owner, const Expr *condition) {
    size_t rows = vec_len(t->rows), splits = vec_len(t->splits);
    add_condition(t, owner, condition);
    const Expr **list = t->too_large ? NULL : solve(t);
    while (vec_len(t->rows) > rows) linear_free(&vec_last(t->rows).sum), (void)vec_pop(t->rows);
    while (vec_len(t->splits) > splits) vec_free(vec_last(t->splits).cases), (void)vec_pop(t->splits);
    return list;
}

static const Expr **solve_split(HornTree *t, unsigned split) {
    const Expr **all = NULL;
    unsigned owner = t->splits[split].owner;
    t->splits[split].made = true;
    for (size_t k = 0; k < vec_len(t->splits[split].cases); k++) {
        const Expr **list = solve_case(t, owner, t->splits[split].cases[k]);
        if (!list) {
            vec_free(all);
            all = NULL;
            break;
        }
        for (unsigned i = 0; i < vec_len(list) && k; i++) {
            bool below = t->instances[i].first <= owner && owner <= i;
            all[i] = below ? expr_or(t->exprs, all[i], list[i]) : expr_and(t->exprs, all[i], list[i]);
        }
        if (k) vec_free(list);
        else all = list;
    }
    t->splits[split].made = false;
    return all;
}

static const Expr **solve(HornTree *t) {
    const Expr **literals = NULL, **list = NULL;
    bool *needed = NULL;
    if (++t->cases > MOST_CASES || clock_seconds() > t->deadline) return NULL;
    for (size_t i = 0; i < vec_len(t->rows); i++) vec_push(literals, t->rows[i].literal);
    vec_resize(needed, vec_len(literals));
    switch (solver_check_assuming(t->solver, vec_len(literals), literals)) {
    case SMT_UNSAT:
        solver_core(t->solver, vec_len(literals), needed);
        list = solve_rows(t, needed);
        break;
    case SMT_SAT: {
        unsigned split = violated(t);
        if (split != NONE) list = solve_split(t, split);
        break;
    }
    case SMT_UNKNOWN: break;
    }
    vec_free(literals);
    vec_free(needed);
    return list;
}

/* ---- all ---- */

HornTree *horn_tree_solve(const Horn *h, Smt *smt, unsigned milliseconds) {
    HornTree *t = zeroed(1, sizeof *t);
    *t = (HornTree){.horn = h,
                    .exprs = horn_exprs(h),
                    .smt = smt,
                    .normaliser = normaliser_new(horn_exprs(h)),
                    .deadline = clock_seconds() + milliseconds / 1000.0,
                    .clause_of = map_new(),
                    .solver = solver_small(smt, milliseconds / 2 + 1)};
    const HornClause *query = NULL;
    for (size_t i = 0; i < horn_clauses(h); i++) {
        const HornClause *c = horn_get(h, i);
        if (c->head) map_put(t->clause_of, map_key(c->head->symbol), i);
        else query = c;
    }
    if (query) unfold(t, query);
    if (query && !t->too_large) t->solution = solve(t);
    if (t->solution) return t;
    horn_tree_free(t);
    return NULL;
}

typedef struct Back {
    const Instance *instance;
    const Expr *const *args;
} Back;

static const Expr *back(void *context, const Expr *e) {
    const Back *b = context;
    for (size_t i = 0; i < vec_len(b->instance->handed_on); i++)
        if (b->instance->handed_on[i] == e) return b->args[i];
    return NULL;
}

const Expr *horn_tree_solution(HornTree *t, const Symbol *predicate, const Expr *const *args) {
    const Expr *all = expr_bool(t->exprs, true);
    for (size_t i = 0; i < vec_len(t->instances); i++) {
        Back b = {&t->instances[i], args};
        if (t->instances[i].predicate != predicate) continue;
        all = expr_and(t->exprs, all, normalise(t->normaliser, expr_substitute(t->exprs, t->solution[i], back, &b)));
    }
    return all;
}

void horn_tree_free(HornTree *t) {
    for (size_t i = 0; i < vec_len(t->instances); i++) vec_free(t->instances[i].handed_on);
    for (size_t i = 0; i < vec_len(t->rows); i++) linear_free(&t->rows[i].sum);
    for (size_t i = 0; i < vec_len(t->splits); i++) vec_free(t->splits[i].cases);
    vec_free(t->instances);
    vec_free(t->rows);
    vec_free(t->splits);
    vec_free(t->solution);
    map_free(t->clause_of);
    normaliser_free(t->normaliser);
    solver_free(t->solver);
    free(t);
}
