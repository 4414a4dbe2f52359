/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses assertions that suffice at a position.

   Each set of assertions that holds there and implies the goal is enough for this path. The choice decides whether the proof converges,
   that is, whether the assertions hold on the next paths as well. Candidates come in tiers, and the first tiers that suffice are taken:

   - assertions that are known already;
   - a pool: assertions of the proof, assertions after the step, guards;
   - atoms of the goal that the path determines, first those without choices. Then come the atoms of the goal in which these are replaced
     by their values, with equalities between indices, and last the atoms with choices. For an inequality, there is also the equality
     with the value that the path determines;
   - for each clause of the remaining goal, the assertions of farkas.c. */
#include "interpolation/internal.h"

enum { MOST_POOL = 160, MOST_ATOMS = 80, LARGEST_GOAL = 4000 };

/* The goal at a place, and the assertions that are known before and required after the step */
typedef struct Task {
    PathPosition *place;
    const Expr *goal;
    const Expr *const *known;
    const Expr *const *after;
} Task;

/* ---- the pool ---- */

static void add_to_pool(const Task *c, Map *seen, const Expr ***pool, const Expr *e) {
    if (expr_is_const(e) || map_find(seen, e) || vec_has(c->known, e) || vec_len(*pool) >= MOST_POOL) return;
    map_set(seen, e, e);
    vec_push(*pool, e);
}

static bool is_disequality(const Expr *e) { return e->op == OP_NOT && e->args[0]->op == OP_EQ; }

static void add_strict(PathPosition *, const Expr *atom, const Expr ***candidates);

/* Returns the assertions after the step, as a vec. For x != y, the strict order that the path determines comes first, since it holds before
   the step more often. */
static const Expr **wanted_after(const Task *c) {
    const Expr **list = NULL;
    for (size_t i = 0; i < vec_len(c->after); i++)
        if (is_disequality(c->after[i])) add_strict(c->place, c->after[i]->args[0], &list);
    vec_append(list, c->after);
    return list;
}

static const Expr **pool_of(const Task *c) {
    Interpolator *p = c->place->by;
    const uint64_t *set = formula_support(p, c->goal);
    const Expr **pool = NULL;
    Map *seen = map_new();
    for (size_t i = 0; i < vec_len(p->preferred); i++)
        if (formula_shares(p, p->preferred[i], set)) add_to_pool(c, seen, &pool, p->preferred[i]);
    const Expr **after = wanted_after(c);
    for (size_t i = 0; i < vec_len(after); i++) add_to_pool(c, seen, &pool, after[i]);
    vec_free(after);
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (formula_shares(p, p->guards[i], set)) add_to_pool(c, seen, &pool, p->guards[i]);
    map_free(seen);
    return pool;
}

/* Returns 0 <= x and x <= 0 for the integers of the goal, as a vec. With them, an assertion after the step often holds before it as well. */
static const Expr **signs_of(const Task *c) {
    Interpolator *p = c->place->by;
    const Expr **signs = NULL, *zero = expr_int(p->exprs, 0);
    for (unsigned v = 0; v < vec_len(p->system->variables); v++) {
        if (p->system->variables[v].symbol->sort->kind != SORT_INT) continue;
        if (!formula_has(formula_support(p, c->goal), v)) continue;
        vec_push(signs, normalise(p->normaliser, expr_2(p->exprs, OP_SLE, zero, system_expr(p->system, v))));
        vec_push(signs, normalise(p->normaliser, expr_2(p->exprs, OP_SLE, system_expr(p->system, v), zero)));
    }
    return signs;
}

/* ---- atoms ---- */

/* Appends the atom or its negation, whichever the path determines. */
static void add_literal(PathPosition *a, const Expr *atom, const Expr ***candidates) {
    const Expr *value = path_position_value(a, atom);
    if (value) vec_push(*candidates, expr_is_true(value) ? atom : normalise_not(a->by->normaliser, atom));
}

/* Appends the strict order between the sides of an equality of integers, if the path determines it. */
static void add_strict(PathPosition *a, const Expr *atom, const Expr ***candidates) {
    Interpolator *p = a->by;
    Linear l;
    bool equality;
    if (!linear_of_atom(p->exprs, atom, &l, &equality)) return;
    for (int sign = -1; sign <= 1 && equality && l.sort->kind == SORT_INT; sign += 2) {
        Linear apart = {.sort = l.sort, .constant = 1}; /* 1 ± sum <= 0 */
        const Expr *strict = linear_add(&apart, sign, &l) ? normalise(p->normaliser, linear_not_positive(p->exprs, &apart)) : NULL;
        const Expr *value = strict ? path_position_value(a, strict) : NULL;
        if (value && expr_is_true(value)) vec_push(*candidates, strict);
        linear_free(&apart);
    }
    linear_free(&l);
}

/* Appends the equality with the value that the sides of an inequality have on the path, if they have one. */
static void add_equality(PathPosition *a, const Expr *atom, const Expr ***candidates) {
    Interpolator *p = a->by;
    Linear l, sum;
    bool equality;
    if (!linear_of_atom(p->exprs, atom, &l, &equality)) return;
    const Expr *value = equality ? NULL : path_position_value(a, linear_expr(p->exprs, &l));
    if (value && expr_is_const(value)) {
        linear_of(p->exprs, value, &sum);
        if (linear_add(&l, -1, &sum)) vec_push(*candidates, normalise(p->normaliser, linear_is_zero(p->exprs, &l)));
        linear_free(&sum);
    }
    linear_free(&l);
}

/* Appends the values of numbers of which e takes a remainder. These equalities are linear, and stay true where sums are kept. */
static void add_dividends(PathPosition *a, const Expr *e, const Expr ***candidates) {
    Interpolator *p = a->by;
    for (unsigned i = 0; i < e->nargs; i++) add_dividends(a, e->args[i], candidates);
    if (e->op != OP_MOD || e->sort->kind != SORT_INT || !expr_is_const(e->args[1]) || expr_is_const(e->args[0])) return;
    const Expr *value = path_position_value(a, e->args[0]);
    if (value && expr_is_const(value)) vec_push(*candidates, normalise(p->normaliser, expr_eq(p->exprs, e->args[0], value)));
}

/* Returns candidates from the atoms, with the truth values that they seem to have on the path. Inequalities are weaker than equalities, so
   they hold more often. Disequalities come last, since the excluded value changes from path to path. */
static const Expr **decided(PathPosition *a, const Expr *const *atoms) {
    const Expr **literals = NULL, **ordered = NULL;
    for (size_t i = 0; i < vec_len(atoms); i++) add_literal(a, atoms[i], &literals);
    for (size_t i = 0; i < vec_len(atoms); i++) add_dividends(a, atoms[i], &ordered);
    for (size_t i = 0; i < vec_len(literals); i++)
        if (!is_disequality(literals[i])) vec_push(ordered, literals[i]);
    for (size_t i = 0; i < vec_len(atoms); i++) add_strict(a, atoms[i], &ordered);
    for (size_t i = 0; i < vec_len(atoms); i++) add_equality(a, atoms[i], &ordered);
    for (size_t i = 0; i < vec_len(literals); i++)
        if (is_disequality(literals[i])) vec_push(ordered, literals[i]);
    vec_free(literals);
    return ordered;
}

typedef enum AtomKind { WITHOUT_CHOICE, WITH_CHOICE } AtomKind;

/* Returns candidates from the atoms of e that are of this kind, mention no input and are not in `not_these`. */
static const Expr **decided_atoms(PathPosition *a, const Expr *e, AtomKind kind, const Expr *const *not_these) {
    const Expr **atoms = NULL, **kept = NULL;
    Map *others = map_new();
    for (size_t i = 0; i < vec_len(not_these); i++) map_set(others, not_these[i], not_these[i]);
    formula_atoms(a->by, e, &atoms);
    for (size_t i = 0; i < vec_len(atoms) && vec_len(kept) < MOST_ATOMS; i++)
        if (formula_contains(atoms[i], OP_ITE) == (kind == WITH_CHOICE) && !map_find(others, atoms[i]) &&
            !project_mentions(atoms[i], a->inputs))
            vec_push(kept, atoms[i]);
    const Expr **candidates = decided(a, kept);
    map_free(others);
    vec_free(atoms);
    vec_free(kept);
    return candidates;
}

/* ---- the tiers ---- */

static const Expr **joined(const Expr *const *a, const Expr *const *b) {
    const Expr **list = vec_copy(a);
    vec_append(list, b);
    return list;
}

typedef struct Tiers {
    const Expr **pool, **plain, **arising, **with_choice; /* vecs: the candidates of each tier */
    const Expr *rest;                                     /* the rest of the goal if all candidates together do not imply it */
} Tiers;

static void tiers_free(Tiers *t) {
    vec_free(t->pool);
    vec_free(t->plain);
    vec_free(t->arising);
    vec_free(t->with_choice);
}

static bool settles(Choice *c, const Expr *const *more, bool certain, const Expr ***found) {
    return choice_add(c, more, certain) && choice_settle(c, true, found);
}

static bool has_one_of(const Expr *const *list, const Expr *const *others) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (vec_has(others, list[i])) return true;
    return false;
}

/* Tries the signs. Signs only count if an assertion after the step is chosen together with them. */
static bool settles_by_signs(const Task *k, Choice *c, const Expr ***found) {
    const Expr **signs = signs_of(k), **after = wanted_after(k);
    size_t before = vec_len(c->candidates);
    bool yes = settles(c, signs, false, found);
    if (yes && !has_one_of(*found, after) && !has_one_of(k->known, after)) {
        vec_clear(*found);
        yes = false;
    }
    if (!yes) choice_retire(c, before);
    vec_free(signs);
    vec_free(after);
    return yes;
}

/* Adds one tier after the other, until the candidates imply the goal. */
static bool fill_tiers(const Task *k, Choice *c, Tiers *t, const Expr ***found) {
    PathPosition *a = k->place;
    Interpolator *p = a->by;
    const Expr **atoms = NULL;
    if (choice_settle(c, true, found)) return true; /* known assertions suffice */
    t->pool = pool_of(k);
    if (settles(c, t->pool, false, found)) return true;
    if (settles_by_signs(k, c, found)) return true;
    t->plain = decided_atoms(a, k->goal, WITHOUT_CHOICE, NULL);
    if (settles(c, t->plain, false, found)) return true;
    path_position_keep_implied(a, &t->plain);
    t->rest = formula_with_literals(p, k->goal, t->plain);
    formula_atoms(p, k->goal, &atoms);
    t->arising = decided_atoms(a, t->rest, WITHOUT_CHOICE, atoms);
    vec_free(atoms);
    if (settles(c, t->arising, false, found)) return true;
    path_position_keep_implied(a, &t->arising);
    t->with_choice = decided_atoms(a, k->goal, WITH_CHOICE, NULL);
    if (settles(c, t->with_choice, false, found)) return true;
    t->rest = formula_with_literals(p, t->rest, t->arising);
    return false;
}

/* ---- the rest of the goal ---- */

/* Removes e from the list. True if the list had it. */
static bool remove_one(const Expr ***list, const Expr *e) {
    size_t kept = 0, n = vec_len(*list);
    for (size_t i = 0; i < n; i++)
        if ((*list)[i] != e) (*list)[kept++] = (*list)[i];
    vec_resize(*list, kept);
    return kept < n;
}

/* Returns the rest of the goal without inputs, and appends candidates that imply the goal together with it. NULL if no candidates do. */
static const Expr *residue(const Task *k, Choice *c, const Expr *rest, const Expr ***found) {
    const Expr **one = NULL;
    rest = project_inputs(k->place->by, k->place->inputs, rest);
    if (!rest || expr_is_const(rest)) return NULL;
    vec_push(one, rest);
    bool yes = settles(c, one, true, found); /* certain: the goal holds, and so does its rest */
    vec_free(one);
    return yes ? rest : NULL;
}

/* Appends assertions that imply the clauses of the rest. */
static void imply_rest(const Task *k, Tiers *t, const Expr *rest, const Expr ***found) {
    const Expr ***clauses = formula_clauses(k->place->by, rest), **given = joined(k->known, *found), **more = NULL;
    path_position_keep_implied(k->place, &t->pool);
    path_position_keep_implied(k->place, &t->with_choice);
    const Expr **tiers[] = {t->pool, t->plain, t->arising, t->with_choice};
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) vec_append(more, tiers[i]);
    for (size_t i = 0; i < vec_len(clauses); i++) farkas_imply_clause(k->place, clauses[i], given, more, found);
    vec_free_rows(clauses);
    vec_free(given);
    vec_free(more);
}

/* ---- all ---- */

static bool choose_by_tiers(const Task *k, const Expr ***found) {
    Choice c;
    Tiers t = {0};
    const Expr *rest = NULL;
    choice_open(&c, k->place, k->goal, k->known);
    bool yes = fill_tiers(k, &c, &t, found);
    if (!yes) yes = (rest = residue(k, &c, t.rest, found)) != NULL;
    choice_close(&c);
    if (rest && remove_one(found, rest)) imply_rest(k, &t, rest, found);
    tiers_free(&t);
    return yes;
}

/* Rewrites the assertions with their own equalities, if they still imply the goal. */
static void tidy(const Task *k, const Expr ***found) {
    const Expr **tidied = joined(*found, NULL);
    formula_use_equalities(k->place->by, &tidied);
    if (choice_follows(k->place->by, k->known, tidied, k->goal)) {
        const Expr **swap = *found;
        *found = tidied;
        tidied = swap;
    }
    vec_free(tidied);
}

/* Uses the goal itself, if its inputs can be eliminated. */
static bool choose_goal(const Task *k, const Expr ***found) {
    const Expr *e = project_inputs(k->place->by, k->place->inputs, k->goal);
    vec_clear(*found);
    if (e) normalise_conjuncts(k->place->by->normaliser, e, found);
    return e && choice_follows(k->place->by, k->known, *found, k->goal);
}

static void append_new(const Expr ***to, const Expr *const *from) {
    for (size_t i = 0; i < vec_len(from); i++) {
        bool there = false;
        for (size_t n = 0; n < vec_len(*to); n++) there |= (*to)[n] == from[i];
        if (!there) vec_push(*to, from[i]);
    }
}

bool tiers_choose(PathPosition *a, const Expr *goal, const Expr *const *known, const Expr *const *after, const Expr ***found) {
    ensure(expr_is_formula(goal) && a->position < a->path->n); /* the goal is the precondition of the step that follows */
    Task k = {a, goal, known, after};
    const Expr **list = NULL;
    bool ok = goal->tree <= LARGEST_GOAL && choose_by_tiers(&k, &list);
    if (ok) tidy(&k, &list);
    ok = (ok && choice_follows(a->by, known, list, goal)) || choose_goal(&k, &list);
    if (ok) append_new(found, list);
    vec_free(list);
    return ok;
}
