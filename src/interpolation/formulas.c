/* SPDX-License-Identifier: Apache-2.0 */
/* Finds atoms, clauses and variables of formulas, and uses equalities as definitions. */
#include "interpolation/internal.h"
#include <string.h>

enum { MOST_INDICES = 12, MOST_CLAUSES = 40 };

const Expr *formula_all(Interpolator *p, const Expr *const *list) {
    return vec_len(list) ? expr_make(p->exprs, OP_AND, 0, (unsigned)vec_len(list), list) : expr_bool(p->exprs, true);
}

/* ---- variables ---- */

size_t formula_support_words(const Interpolator *p) { return vec_len(p->system->variables) / 64 + 1; }

typedef struct Supporting {
    const System *system;
    uint64_t *set;
} Supporting;

static void add_support(void *context, const Symbol *s) {
    const Supporting *u = context;
    unsigned v = system_variable(u->system, s);
    if (v != NONE) u->set[v / 64] |= (uint64_t)1 << v % 64;
}

const uint64_t *formula_support(Interpolator *p, const Expr *e) {
    uint64_t *set = map_find(p->supports, e);
    if (set) return set;
    set = arena_array(p->arena, uint64_t, formula_support_words(p));
    Supporting u = {p->system, set};
    expr_symbols(e, add_support, &u);
    map_set(p->supports, e, set);
    return set;
}

bool formula_shares(Interpolator *p, const Expr *e, const uint64_t *set) {
    const uint64_t *own = formula_support(p, e);
    for (size_t i = 0; i < formula_support_words(p); i++)
        if (own[i] & set[i]) return true;
    return false;
}

/* ---- atoms ---- */

static bool is_atom(const Expr *e) {
    if (e->sort->kind != SORT_BOOL) return false;
    switch (e->op) {
    case OP_CONST:
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_ITE: return false;
    case OP_EQ: return e->args[0]->sort->kind != SORT_BOOL;
    default: return true;
    }
}

typedef struct Reads {
    const Expr *array, **indices; /* a vec */
} Reads;

typedef struct AtomWalk {
    Map *seen;
    const Expr ***atoms;
    Reads *reads; /* a vec, by array */
} AtomWalk;

static void add_atom(AtomWalk *w, const Expr *e) {
    if (map_find(w->seen, e)) return;
    map_set(w->seen, e, e);
    vec_push(*w->atoms, e);
}

static void add_read(AtomWalk *w, const Expr *array, const Expr *index) {
    size_t i = 0;
    while (i < vec_len(w->reads) && w->reads[i].array != array) i++;
    if (i == vec_len(w->reads)) vec_push(w->reads, (Reads){.array = array});
    if (vec_len(w->reads[i].indices) < MOST_INDICES) vec_push(w->reads[i].indices, index);
}

static void walk_atoms(AtomWalk *w, const Expr *e) {
    if (map_find(w->seen, e)) return;
    for (unsigned i = 0; i < e->nargs; i++) walk_atoms(w, e->args[i]);
    if (e->op == OP_SELECT) add_read(w, e->args[0], e->args[1]);
    if (is_atom(e)) add_atom(w, e);
    else map_set(w->seen, e, e);
}

static void compare_indices(Interpolator *p, AtomWalk *w, const Reads *r) {
    for (size_t i = 0; i < vec_len(r->indices); i++)
        for (size_t k = 0; k < i; k++) {
            const Expr *same = normalise(p->normaliser, expr_eq(p->exprs, r->indices[i], r->indices[k]));
            if (is_atom(same)) add_atom(w, same);
        }
}

void formula_atoms(Interpolator *p, const Expr *e, const Expr ***atoms) {
    AtomWalk w = {.seen = map_new(), .atoms = atoms};
    walk_atoms(&w, e);
    for (size_t i = 0; i < vec_len(w.reads); i++) {
        compare_indices(p, &w, &w.reads[i]);
        vec_free(w.reads[i].indices);
    }
    vec_free(w.reads);
    map_free(w.seen);
}

static bool contains_new(Map *seen, const Expr *e, Op op) {
    if (e->op == op) return true;
    if (map_find(seen, e)) return false;
    map_set(seen, e, e);
    for (unsigned i = 0; i < e->nargs; i++)
        if (contains_new(seen, e->args[i], op)) return true;
    return false;
}

bool formula_contains(const Expr *e, Op op) {
    Map *seen = map_new();
    bool yes = contains_new(seen, e, op);
    map_free(seen);
    return yes;
}

/* ---- literals ---- */

static const Expr *literal_value(void *context, const Expr *e) { return map_find(context, e); }

const Expr *formula_with_literals(Interpolator *p, const Expr *e, const Expr *const *literals) {
    Map *values = map_new();
    for (size_t i = 0; i < vec_len(literals); i++) {
        map_set(values, literals[i], expr_bool(p->exprs, true));
        map_set(values, normalise_not(p->normaliser, literals[i]), expr_bool(p->exprs, false));
    }
    e = normalise(p->normaliser, expr_replace(p->exprs, e, literal_value, values));
    map_free(values);
    return e;
}

/* ---- clauses ---- */

static const Expr ***clauses_within(Interpolator *, const Expr *);

static const Expr ***all_clauses(const Expr ***a, const Expr ***b) {
    vec_append(a, b);
    vec_free(b);
    return a;
}

/* Returns the disjunctions of each clause of a with each clause of b, or NULL if there are too many. Frees a and b. */
static const Expr ***any_clauses(const Expr ***a, const Expr ***b) {
    const Expr ***product = NULL;
    bool many = vec_len(a) * vec_len(b) > MOST_CLAUSES;
    for (size_t i = 0; i < vec_len(a) && !many; i++)
        for (size_t k = 0; k < vec_len(b); k++) {
            const Expr **clause = NULL;
            vec_append(clause, a[i]);
            vec_append(clause, b[k]);
            vec_push(product, clause);
        }
    vec_free_rows(a);
    vec_free_rows(b);
    return product;
}

static const Expr ***single_literal(const Expr *e) {
    const Expr ***clauses = NULL, **clause = NULL;
    vec_push(clause, e);
    vec_push(clauses, clause);
    return clauses;
}

/* Returns the clauses of: c implies a, and not c implies b. */
static const Expr ***clauses_of_choice(Interpolator *p, const Expr *c, const Expr *a, const Expr *b) {
    const Expr ***yes = any_clauses(clauses_within(p, normalise_not(p->normaliser, c)), clauses_within(p, a));
    const Expr ***no = any_clauses(clauses_within(p, c), clauses_within(p, b));
    if (yes && no) return all_clauses(yes, no);
    vec_free_rows(yes);
    vec_free_rows(no);
    return NULL;
}

static const Expr ***clauses_of_junction(Interpolator *p, const Expr *e) {
    const Expr ***clauses = clauses_within(p, e->args[0]);
    for (unsigned i = 1; i < e->nargs && clauses; i++) {
        const Expr ***more = clauses_within(p, e->args[i]);
        if (more) clauses = e->op == OP_AND ? all_clauses(clauses, more) : any_clauses(clauses, more);
        if (more && vec_len(clauses) <= MOST_CLAUSES) continue;
        vec_free_rows(clauses);
        return NULL;
    }
    return clauses;
}

/* Returns the clauses of e, or NULL if there are too many. */
static const Expr ***clauses_within(Interpolator *p, const Expr *e) {
    bool negated = e->op == OP_NOT;
    const Expr *same = negated ? e->args[0] : e;
    if (e->op == OP_AND || e->op == OP_OR) return clauses_of_junction(p, e);
    if (e->op == OP_ITE) return clauses_of_choice(p, e->args[0], e->args[1], e->args[2]);
    if (same->op == OP_EQ && same->args[0]->sort->kind == SORT_BOOL) {
        const Expr *b = same->args[1], *not_b = normalise_not(p->normaliser, b);
        return clauses_of_choice(p, same->args[0], negated ? not_b : b, negated ? b : not_b);
    }
    return single_literal(e);
}

/* Each clause is in normal form: false literals and valid clauses are left out. */
const Expr ***formula_clauses(Interpolator *p, const Expr *e) {
    ensure(expr_is_formula(e));
    const Expr ***found = clauses_within(p, e), ***clauses = NULL;
    if (!found) return single_literal(e);
    for (size_t i = 0; i < vec_len(found); i++) {
        const Expr *clause = normalise_or(p->normaliser, vec_len(found[i]), found[i]), **literals = NULL;
        if (expr_is_true(clause)) continue;
        if (clause->op != OP_OR) vec_push(literals, clause);
        for (unsigned k = 0; clause->op == OP_OR && k < clause->nargs; k++) vec_push(literals, clause->args[k]);
        vec_push(clauses, literals);
    }
    vec_free_rows(found);
    return clauses;
}

/* ---- equalities ---- */

/* Returns the variable that an equality over variables defines: of those with factor 1 or -1, the one whose name is last. NULL if there is
   no such variable. */
static const Symbol *defined_by(Interpolator *p, const Expr *equality) {
    Linear l;
    bool is_equality, plain = true;
    const Symbol *best = NULL;
    if (equality->op != OP_EQ || !linear_of_atom(p->exprs, equality, &l, &is_equality)) return NULL;
    for (size_t i = 0; i < vec_len(l.terms); i++) {
        const Expr *m = l.terms[i].monomial;
        plain &= m->op == OP_SYMBOL;
        bool unit = l.terms[i].factor == 1 || l.terms[i].factor == -1;
        if (m->op == OP_SYMBOL && unit && (!best || strcmp(m->symbol->name, best->name) > 0)) best = m->symbol;
    }
    linear_free(&l);
    return plain ? best : NULL;
}

/* Replaces each pair t <= 0 and t >= 0 by t = 0. */
static void merge_inequalities(Interpolator *p, const Expr ***assertions) {
    Map *seen = map_new();
    for (size_t i = 0; i < vec_len(*assertions); i++) map_set(seen, (*assertions)[i], (*assertions)[i]);
    for (size_t i = 0; i < vec_len(*assertions); i++) {
        const Expr *e = (*assertions)[i], *opposite = NULL, *equal = NULL;
        Linear l, turned;
        bool equality;
        if (!linear_of_atom(p->exprs, e, &l, &equality)) continue;
        turned = (Linear){.sort = l.sort};
        if (!equality && linear_add(&turned, -1, &l)) {
            opposite = normalise(p->normaliser, linear_not_positive(p->exprs, &turned));
            equal = normalise(p->normaliser, linear_is_zero(p->exprs, &l));
        }
        linear_free(&l);
        linear_free(&turned);
        for (size_t k = 0; opposite && map_find(seen, opposite) && k < vec_len(*assertions); k++)
            if (k == i || (*assertions)[k] == opposite) (*assertions)[k] = equal;
    }
    map_free(seen);
}

void formula_use_equalities(Interpolator *p, const Expr ***assertions) {
    const Expr **equalities = NULL, **rewritten = NULL;
    merge_inequalities(p, assertions);
    for (size_t i = 0; i < vec_len(*assertions); i++)
        if (defined_by(p, (*assertions)[i])) vec_push(equalities, (*assertions)[i]);
    for (size_t i = 0; i < vec_len(equalities); i++) {
        const Symbol *s = defined_by(p, equalities[i]);
        const Expr *value = project_definition(p, equalities[i], s);
        for (size_t k = 0; value && k < vec_len(*assertions); k++)
            if ((*assertions)[k] != equalities[i]) (*assertions)[k] = project_replace(p, (*assertions)[k], s, value);
    }
    for (size_t k = 0; k < vec_len(*assertions); k++) normalise_conjuncts(p->normaliser, (*assertions)[k], &rewritten);
    vec_free(equalities);
    vec_free(*assertions);
    *assertions = rewritten;
}
