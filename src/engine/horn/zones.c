/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a zone for each predicate, over its integer arguments, by abstract interpretation (Miné, "A New Numerical Abstract Domain Based on
   Difference-Bound Matrices", PADO 2001).

   The zone of a predicate is NULL until an atom of it is derived. Predicates whose zone has grown wait in a queue. Each clause with such a
   predicate in its body gives a zone for its head. The first unions are exact, then bounds grow to the next threshold (a constant
   of the clauses, or its neighbour), then they are dropped. Deviation: a zone also has pairs that are never equal. */
#include "engine/horn/clauses.h"
#include "analysis/zone_terms.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>

enum { EXACT_UNIONS = 3, THRESHOLD_UNIONS = 24, MAX_CONSTANTS = 24, MAX_CASES = 16, MAX_VARIABLES = 60 };

typedef struct PredicateZone {
    const Symbol *predicate;
    unsigned n; /* the number of its integer arguments + 1 */
    Zone *zone; /* NULL: no atom is derived yet */
    unsigned unions;
    bool waiting;
    size_t *users; /* a vec: the clauses with the predicate in their body */
} PredicateZone;

struct HornZones {
    const Horn *horn;
    Exprs *exprs;
    Map *index;                /* symbol of a predicate -> its number + 1 */
    PredicateZone *predicates; /* vecs */
    ZoneNames *names;          /* by clause */
    i128 *thresholds;          /* ascending */
    size_t *queue;
};

/* ---- the clauses ---- */

static PredicateZone *of_predicate(const HornZones *h, const Symbol *predicate) {
    uint64_t i;
    return map_get(h->index, map_key(predicate), &i) ? &h->predicates[i - 1] : NULL;
}

static void note_predicate(HornZones *h, const Expr *atom) {
    PredicateZone p = {.predicate = atom->symbol, .n = 1};
    if (of_predicate(h, atom->symbol)) return;
    for (unsigned i = 0; i < atom->nargs; i++) p.n += atom->args[i]->sort->kind == SORT_INT;
    vec_push(h->predicates, p);
    map_put(h->index, map_key(atom->symbol), vec_len(h->predicates));
}

static void note_clause(HornZones *h, size_t index) {
    const HornClause *c = horn_get(h->horn, index);
    ZoneNames names = {0};
    zone_names_add(&names, c->constraint);
    if (c->head) note_predicate(h, c->head);
    for (size_t i = 0; i < vec_len(c->body); i++) {
        note_predicate(h, c->body[i]);
        zone_names_add(&names, c->body[i]);
        size_t **users = &of_predicate(h, c->body[i]->symbol)->users;
        if (!vec_len(*users) || vec_last(*users) != index) vec_push(*users, index);
    }
    if (c->head) zone_names_add(&names, c->head);
    vec_push(h->names, names);
}

/* Returns the integer arguments of an atom, by variable of its predicate's zone. The first is NULL, which stands for 0. */
static const Expr **integer_arguments(const Expr *atom) {
    const Expr **args = NULL;
    vec_push(args, NULL);
    for (unsigned i = 0; i < atom->nargs; i++)
        if (atom->args[i]->sort->kind == SORT_INT) vec_push(args, atom->args[i]);
    return args;
}

/* ---- thresholds ---- */

static void add_threshold(HornZones *h, i128 c) {
    size_t i = vec_len(h->thresholds);
    for (size_t k = 0; k < i; k++)
        if (h->thresholds[k] == c) return;
    vec_push(h->thresholds, c);
    for (; i && h->thresholds[i - 1] > c; i--) h->thresholds[i] = h->thresholds[i - 1];
    h->thresholds[i] = c;
}

static void add_constant(HornZones *h, i128 c) {
    for (i128 d = -1; d <= 1; d++) {
        add_threshold(h, c + d);
        add_threshold(h, -c + d);
    }
}

/* Adds the constants of comparisons as thresholds. */
static void find_constants(HornZones *h, Map *seen, const Expr *e) {
    if (!e->nargs || map_find(seen, e) || vec_len(h->thresholds) > 6 * MAX_CONSTANTS) return;
    map_set(seen, e, e);
    bool comparison = e->op == OP_EQ || e->op == OP_SLT || e->op == OP_SLE;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *a = e->args[i];
        if (comparison && expr_is_const(a) && a->sort->kind == SORT_INT) add_constant(h, (i128)a->value);
        find_constants(h, seen, a);
    }
}

static void find_thresholds(HornZones *h) {
    Map *seen = map_new();
    add_constant(h, 0);
    for (size_t i = 0; i < horn_clauses(h->horn); i++) find_constants(h, seen, horn_get(h->horn, i)->constraint);
    map_free(seen);
}

/* ---- one clause ---- */

static void assume_atom(const HornZones *h, Zone *z, const ZoneNames *names, const Expr *atom) {
    const PredicateZone *p = of_predicate(h, atom->symbol);
    z->empty |= !p->zone || p->zone->empty;
    if (z->empty) return;
    const Expr **args = integer_arguments(atom);
    for (unsigned i = 0; i < p->n; i++)
        for (unsigned j = 0; j < p->n; j++) {
            if (i != j && zone_bound(p->zone, i, j) < ZONE_UNBOUNDED)
                zone_assume_difference(z, names, args[i], args[j], zone_bound(p->zone, i, j));
            if (j < i && zone_apart(p->zone, i, j)) zone_assume_different(z, names, args[i], args[j]);
        }
    vec_free(args);
}

/* Returns the zone of a clause's variables where the atoms of its body hold. The zone may be empty. */
static Zone *zone_of_atoms(const HornZones *h, size_t clause) {
    const HornClause *c = horn_get(h->horn, clause);
    const ZoneNames *names = &h->names[clause];
    Zone *z = zone_new((unsigned)vec_len(names->symbols) + 1);
    for (size_t i = 0; i < vec_len(c->body) && !z->empty; i++) assume_atom(h, z, names, c->body[i]);
    zone_close(z);
    return z;
}

/* Returns the zone of a clause's variables where the atoms of its body and its constraint hold. */
static Zone *zone_of_body(const HornZones *h, size_t clause) {
    Zone *z = zone_of_atoms(h, clause);
    zone_assume(z, &h->names[clause], horn_get(h->horn, clause)->constraint, true);
    return z;
}

/* Returns the zone of the head's arguments, if they have no undecided choice. */
static Zone *zone_of_arguments(const Zone *z, const ZoneNames *names, const Expr *const *args) {
    Zone *r = zone_new((unsigned)vec_len(args));
    for (unsigned i = 0; i < r->n; i++)
        for (unsigned j = 0; j < r->n; j++) {
            if (i == j) continue;
            zone_restrict(r, i, j, zone_difference(z, names, args[i], args[j]));
            if (j < i && zone_differ(z, names, args[i], args[j])) zone_exclude(r, i, j, 0);
        }
    zone_close(r);
    return r;
}

/* Returns the zone of the head's arguments: the union over the alternatives of at most `cases` undecided choices. Takes ownership of z. */
static Zone *zone_of_head(Zone *z, const ZoneNames *names, const Expr *const *args, unsigned cases) {
    const Expr *open = NULL;
    for (size_t i = 1; i < vec_len(args) && cases > 1 && !z->empty && !open; i++) open = zone_open_choice(z, names, args[i]);
    Zone *r;
    if (z->empty) {
        r = zone_new((unsigned)vec_len(args));
        r->empty = true;
    } else if (!open) {
        r = zone_of_arguments(z, names, args);
    } else {
        Zone *other = zone_copy(z);
        zone_assume(other, names, open, false);
        zone_assume(z, names, open, true);
        bool decided = zone_decides(z, names, open) == ZONE_YES; /* else the recursion would not end */
        Zone *first = zone_of_head(z, names, args, decided ? cases / 2 : 0);
        Zone *second = zone_of_head(other, names, args, decided ? cases / 2 : 0);
        zone_join(first, second);
        zone_free(second);
        return first;
    }
    zone_free(z);
    return r;
}

static void grow(HornZones *h, PredicateZone *p, Zone *z) {
    bool grown = !z->empty;
    if (!p->zone && grown) {
        p->zone = zone_copy(z);
    } else if (grown) {
        p->unions++;
        size_t n = p->unions > THRESHOLD_UNIONS ? 0 : vec_len(h->thresholds);
        if (p->unions <= EXACT_UNIONS) {
            Zone *before = zone_copy(p->zone);
            grown = zone_widen(before, z, NULL, 0);
            if (grown) zone_join(p->zone, z);
            zone_free(before);
        } else {
            grown = zone_widen(p->zone, z, h->thresholds, n);
        }
    }
    if (!grown || p->waiting) return;
    p->waiting = true;
    vec_push(h->queue, (size_t)(p - h->predicates));
}

static void derive(HornZones *h, size_t clause) {
    const HornClause *c = horn_get(h->horn, clause);
    if (!c->head) return;
    const Expr **args = integer_arguments(c->head);
    Zone *z = zone_of_head(zone_of_body(h, clause), &h->names[clause], args, MAX_CASES);
    vec_free(args);
    grow(h, of_predicate(h, c->head->symbol), z);
    zone_free(z);
}

/* ---- the fixpoint ---- */

static bool fixpoint(HornZones *h, double deadline) {
    for (size_t i = 0; i < horn_clauses(h->horn); i++)
        if (!vec_len(horn_get(h->horn, i)->body)) derive(h, i);
    for (size_t next = 0; next < vec_len(h->queue); next++) {
        PredicateZone *p = &h->predicates[h->queue[next]];
        if (clock_seconds() > deadline) return false;
        p->waiting = false;
        for (size_t i = 0; i < vec_len(p->users); i++) derive(h, p->users[i]);
    }
    return true;
}

static bool excludes_queries(const HornZones *h) {
    bool all = true;
    for (size_t i = 0; i < horn_clauses(h->horn) && all; i++) {
        if (horn_get(h->horn, i)->head) continue;
        Zone *z = zone_of_body(h, i);
        all = z->empty;
        zone_free(z);
    }
    return all;
}

HornZones *zones_new(const Horn *horn, double seconds, bool *solved) {
    HornZones *h = zeroed(1, sizeof *h);
    double deadline = clock_seconds() + seconds;
    h->horn = horn;
    h->exprs = horn_exprs(horn);
    h->index = map_new();
    for (size_t i = 0; i < horn_clauses(horn); i++) note_clause(h, i);
    find_thresholds(h);
    *solved = false;
    bool small = true;
    for (size_t i = 0; i < vec_len(h->names); i++) small &= vec_len(h->names[i].symbols) <= MAX_VARIABLES;
    if (!small || !fixpoint(h, deadline)) {
        zones_free(h);
        return NULL;
    }
    for (size_t i = 0; i < vec_len(h->predicates); i++)
        if (h->predicates[i].zone) zone_close(h->predicates[i].zone);
    *solved = excludes_queries(h);
    return h;
}

void zones_free(HornZones *h) {
    if (!h) return;
    for (size_t i = 0; i < vec_len(h->predicates); i++) {
        zone_free(h->predicates[i].zone);
        vec_free(h->predicates[i].users);
    }
    for (size_t i = 0; i < vec_len(h->names); i++) zone_names_free(&h->names[i]);
    vec_free(h->predicates);
    vec_free(h->names);
    vec_free(h->thresholds);
    vec_free(h->queue);
    map_free(h->index);
    free(h);
}

/* ---- results ---- */

const Expr *zones_formula(const HornZones *h, const Expr *atom) {
    const PredicateZone *p = of_predicate(h, atom->symbol);
    if (!p || !p->zone) return expr_bool(h->exprs, false);
    const Expr **args = integer_arguments(atom);
    const Expr *e = zone_formula(h->exprs, p->zone, args);
    vec_free(args);
    return e;
}

static const Expr *simplified_head(const HornZones *h, const Zone *z, const ZoneNames *names, const Expr *head) {
    const Expr *args[head->nargs + 1];
    for (unsigned i = 0; i < head->nargs; i++) args[i] = zone_simplify(h->exprs, z, names, head->args[i]);
    return expr_apply(h->exprs, head->symbol, head->nargs, args);
}

static void strengthen(const HornZones *h, Horn *horn, size_t i) {
    const HornClause *c = horn_get(horn, i);
    const ZoneNames *names = &h->names[i];
    Zone *z = zone_of_atoms(h, i);
    const Expr *constraint = expr_bool(h->exprs, false), *head = c->head;
    if (!z->empty) constraint = zone_simplify(h->exprs, z, names, c->constraint);
    zone_assume(z, names, constraint, true);
    if (z->empty) constraint = expr_bool(h->exprs, false);
    else if (head) head = simplified_head(h, z, names, head);
    for (size_t b = 0; b < vec_len(c->body) && !z->empty; b++) constraint = expr_and(h->exprs, constraint, zones_formula(h, c->body[b]));
    horn_rewrite(horn, i, constraint, head);
    zone_free(z);
}

void zones_strengthen(const HornZones *h, Horn *horn) {
    for (size_t i = 0; i < horn_clauses(horn); i++) strengthen(h, horn, i);
}
