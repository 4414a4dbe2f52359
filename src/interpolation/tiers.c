/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that are enough at a position. Any that hold there and imply the goal would do for this path; which are taken
   decides whether the proof converges, that is, whether they hold on the next path too. They are looked for in tiers, and
   the first that is enough is taken:
     what is known already;
     a pool: assertions of the proof, what must hold after the step, guards;
     atoms of the goal that the path determines, first those without choices, then (with these decided) those that come
     up and equalities between indices, then those with choices; an inequality also as the equality that the path determines;
     for what remains of the goal, clause by clause: see farkas.c. */
#include "interpolation/internal.h"

enum { MOST_POOL = 160, MOST_ATOMS = 80, LARGEST_GOAL = 4000 };

/* What is to be shown at a place. */
typedef struct Task {
    Place *place;
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

static void add_strict(Place *, const Expr *atom, const Expr ***candidates);

/* What must hold after the step; of two that must differ, first which is less: that holds before the step more often. */
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

/* Signs of the integers that come in by the step: with them, what must hold after it may do before it as well. */
static const Expr **signs_of(const Task *c) {
    Interpolator *p = c->place->by;
    const Expr **signs = NULL, *zero = expr_int(p->exprs, 0);
    for (unsigned v = 0; v < vec_len(p->system->variables); v++) {
        if (p->system->variables[v].symbol->sort->kind != SORT_INT) continue;
        if (!formula_has(formula_support(p, c->goal), v)) continue;
        vec_push(signs, normal(p->normaliser, expr_2(p->exprs, OP_SLE, zero, system_expr(p->system, v))));
        vec_push(signs, normal(p->normaliser, expr_2(p->exprs, OP_SLE, system_expr(p->system, v), zero)));
    }
    return signs;
}

/* ---- atoms ---- */

/* The atom as it is on the path. */
static void add_literal(Place *a, const Expr *atom, const Expr ***candidates) {
    const Expr *value = place_value(a, atom);
    if (value) vec_push(*candidates, expr_is_true(value) ? atom : normal_not(a->by->normaliser, atom));
}

/* Of an equality of integers that does not hold: which side is less, if that is always the same. */
static void add_strict(Place *a, const Expr *atom, const Expr ***candidates) {
    Interpolator *p = a->by;
    Linear l;
    bool equality;
    if (!linear_of_atom(p->exprs, atom, &l, &equality)) return;
    for (int sign = -1; sign <= 1 && equality && l.sort->kind == SORT_INT; sign += 2) {
        Linear apart = {.sort = l.sort, .constant = 1}; /* 1 ± sum <= 0 */
        const Expr *strict = linear_add(&apart, sign, &l) ? normal(p->normaliser, linear_not_positive(p->exprs, &apart)) : NULL;
        const Expr *value = strict ? place_value(a, strict) : NULL;
        if (value && expr_is_true(value)) vec_push(*candidates, strict);
        linear_free(&apart);
    }
    linear_free(&l);
}

/* Of an inequality, the equality that it is on the path. */
static void add_equality(Place *a, const Expr *atom, const Expr ***candidates) {
    Interpolator *p = a->by;
    Linear l, sum;
    bool equality;
    if (!linear_of_atom(p->exprs, atom, &l, &equality)) return;
    const Expr *value = equality ? NULL : place_value(a, linear_expr(p->exprs, &l));
    if (value && expr_is_const(value)) {
        linear_of(p->exprs, value, &sum);
        if (linear_add(&l, -1, &sum)) vec_push(*candidates, normal(p->normaliser, linear_is_zero(p->exprs, &l)));
        linear_free(&sum);
    }
    linear_free(&l);
}

/* A remainder is settled by what the number is that it is taken of: linear, and it stays true where sums are kept. */
static void add_dividends(Place *a, const Expr *e, const Expr ***candidates) {
    Interpolator *p = a->by;
    for (unsigned i = 0; i < e->nargs; i++) add_dividends(a, e->args[i], candidates);
    if (e->op != OP_MOD || e->sort->kind != SORT_INT || !expr_is_const(e->args[1]) || expr_is_const(e->args[0])) return;
    const Expr *value = place_value(a, e->args[0]);
    if (value && expr_is_const(value)) vec_push(*candidates, normal(p->normaliser, expr_eq(p->exprs, e->args[0], value)));
}

/* What the atoms seem to be on the path. Inequalities say less than equalities and so hold more often; disequalities come last: what
   they exclude moves with the path. */
static const Expr **decided(Place *a, const Expr *const *atoms) {
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

/* What the path seems to decide of those atoms of e that are of this kind and not in `not_these`. */
static const Expr **decided_atoms(Place *a, const Expr *e, AtomKind kind, const Expr *const *not_these) {
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
    const Expr **pool, **plain, **arising, **with_choice; /* vecs: what holds, tier by tier */
    const Expr *rest;                                     /* of the goal, if all are not enough */
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

/* Signs are there to keep what must hold after the step, and for nothing else. */
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

/* One tier after the other, until they are enough. */
static bool fill_tiers(const Task *k, Choice *c, Tiers *t, const Expr ***found) {
    Place *a = k->place;
    Interpolator *p = a->by;
    const Expr **atoms = NULL;
    if (choice_settle(c, true, found)) return true; /* what is known */
    t->pool = pool_of(k);
    if (settles(c, t->pool, false, found)) return true;
    if (settles_by_signs(k, c, found)) return true;
    t->plain = decided_atoms(a, k->goal, WITHOUT_CHOICE, NULL);
    if (settles(c, t->plain, false, found)) return true;
    place_keep_implied(a, &t->plain);
    t->rest = formula_with_literals(p, k->goal, t->plain);
    formula_atoms(p, k->goal, &atoms);
    t->arising = decided_atoms(a, t->rest, WITHOUT_CHOICE, atoms);
    vec_free(atoms);
    if (settles(c, t->arising, false, found)) return true;
    place_keep_implied(a, &t->arising);
    t->with_choice = decided_atoms(a, k->goal, WITH_CHOICE, NULL);
    if (settles(c, t->with_choice, false, found)) return true;
    t->rest = formula_with_literals(p, t->rest, t->arising);
    return false;
}

/* ---- what remains ---- */

/* True if it was there. */
static bool remove_one(const Expr ***list, const Expr *e) {
    size_t kept = 0, n = vec_len(*list);
    for (size_t i = 0; i < n; i++)
        if ((*list)[i] != e) (*list)[kept++] = (*list)[i];
    vec_resize(*list, kept);
    return kept < n;
}

/* The rest of the goal without inputs, which is to be shown; NULL if with it and those found the goal is not. */
static const Expr *residue(const Task *k, Choice *c, const Expr *rest, const Expr ***found) {
    const Expr **one = NULL;
    rest = project_inputs(k->place->by, k->place->inputs, rest);
    if (!rest || expr_is_const(rest)) return NULL;
    vec_push(one, rest);
    bool yes = settles(c, one, true, found); /* the goal holds, and so does what is left of it */
    vec_free(one);
    return yes ? rest : NULL;
}

/* Assertions for each clause of the rest. */
static void imply_rest(const Task *k, Tiers *t, const Expr *rest, const Expr ***found) {
    const Expr ***clauses = formula_clauses(k->place->by, rest), **given = joined(k->known, *found), **more = NULL;
    place_keep_implied(k->place, &t->pool);
    place_keep_implied(k->place, &t->with_choice);
    const Expr **tiers[] = {t->pool, t->plain, t->arising, t->with_choice};
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) vec_append(more, tiers[i]);
    for (size_t i = 0; i < vec_len(clauses); i++) farkas_clause(k->place, clauses[i], given, more, found);
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

/* Simpler by use of their own equalities, if they stay strong enough. */
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

/* The goal itself, if it can be said without inputs. */
static bool choose_goal(const Task *k, const Expr ***found) {
    const Expr *e = project_inputs(k->place->by, k->place->inputs, k->goal);
    vec_clear(*found);
    if (e) normal_conjuncts(k->place->by->normaliser, e, found);
    return e && choice_follows(k->place->by, k->known, *found, k->goal);
}

static void append_new(const Expr ***to, const Expr *const *from) {
    for (size_t i = 0; i < vec_len(from); i++) {
        bool there = false;
        for (size_t n = 0; n < vec_len(*to); n++) there |= (*to)[n] == from[i];
        if (!there) vec_push(*to, from[i]);
    }
}

bool tiers_assertions(Place *a, const Expr *goal, const Expr *const *known, const Expr *const *after, const Expr ***found) {
    ensure(expr_is_formula(goal) && a->position < a->path->n); /* a step follows: its reason is the goal */
    Task k = {a, goal, known, after};
    const Expr **list = NULL;
    bool ok = goal->tree <= LARGEST_GOAL && choose_by_tiers(&k, &list);
    if (ok) tidy(&k, &list);
    ok = (ok && choice_follows(a->by, known, list, goal)) || choose_goal(&k, &list);
    if (ok) append_new(found, list);
    vec_free(list);
    return ok;
}
