/* SPDX-License-Identifier: Apache-2.0 */
/* Zones: sets of integer vectors given by bounds of differences, x - y <= c, and by pairs that are never equal. Index 0
   stands for the number 0, so bounds of single variables are differences too. See Miné, "A new numerical abstract domain
   based on difference-bound matrices"; the pairs are ours: tickets that differ are what locks are made of. */
#pragma once
#include "expr/expr.h"

typedef struct Zone {
    unsigned n; /* variables, the number 0 included */
    bool empty;
    bool closed; /* every bound is the least that follows from all of them */
    i128 *bound; /* n by n: x[i] - x[j] <= bound[i * n + j] */
    bool *apart; /* n by n, symmetric: x[i] and x[j] differ */
} Zone;

/* Larger than any bound that is kept. */
#define ZONE_UNBOUNDED ((i128)1 << 100)

Zone *zone_new(unsigned n); /* everything */
Zone *zone_copy(const Zone *);
void zone_free(Zone *);
static inline i128 zone_bound(const Zone *z, unsigned i, unsigned j) { return z->bound[i * z->n + j]; }
static inline bool zone_apart(const Zone *z, unsigned i, unsigned j) { return z->apart[i * z->n + j]; }

/* Only where x[i] - x[j] <= c; only where x[i] - x[j] is not c. */
void zone_restrict(Zone *, unsigned i, unsigned j, i128 c);
void zone_exclude(Zone *, unsigned i, unsigned j, i128 c);
void zone_close(Zone *); /* may find that it is empty */

/* The least zone with both (closed ones). */
void zone_join(Zone *, const Zone *);
/* … for a fixpoint: bounds that grow become the next of the thresholds (ascending), or none. True if the zone has grown. It stays
   as it is otherwise, not closed anew, so there is an end to growing. */
bool zone_widen(Zone *, const Zone *, const i128 *thresholds, size_t n);

/* What it says of these terms (n of them; terms[0] is not used; NULL: not spoken of), without what follows from the rest. */
const Expr *zone_formula(Exprs *, const Zone *, const Expr *const *terms);
