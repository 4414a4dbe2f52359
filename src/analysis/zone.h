/* SPDX-License-Identifier: Apache-2.0 */
/* Zones are sets of integer vectors that are given by bounds of differences, x - y <= c, and by pairs of variables that differ. Index 0
   stands for the number 0, so bounds of single variables are differences as well. See Miné, "A new numerical abstract domain based on
   difference-bound matrices" (PADO 2001). The pairs are our extension, for locks that are made of tickets. */
#pragma once
#include "expr/expr.h"

typedef struct Zone {
    unsigned n; /* number of variables, including the number 0 */
    bool empty;
    bool closed; /* every bound is the least that follows from all bounds */
    i128 *bound; /* n by n: x[i] - x[j] <= bound[i * n + j] */
    bool *apart; /* n by n, symmetric: x[i] and x[j] differ */
} Zone;

/* Greater than any stored bound; stands for no bound. */
#define ZONE_UNBOUNDED ((i128)1 << 100)

Zone *zone_new(unsigned n); /* the set of all vectors */
Zone *zone_copy(const Zone *);
void zone_free(Zone *);
static inline i128 zone_bound(const Zone *z, unsigned i, unsigned j) { return z->bound[i * z->n + j]; }
static inline bool zone_apart(const Zone *z, unsigned i, unsigned j) { return z->apart[i * z->n + j]; }

/* Restrict the zone to x[i] - x[j] <= c, or to x[i] - x[j] different from c. The zone is not closed afterwards. */
void zone_restrict(Zone *, unsigned i, unsigned j, i128 c);
void zone_exclude(Zone *, unsigned i, unsigned j, i128 c);
void zone_close(Zone *); /* computes the least bounds; may find that the zone is empty */

/* Extends the zone to the least zone that includes both. The two zones must be closed. */
void zone_join(Zone *, const Zone *);
/* Extends the zone to include the other, for a fixpoint: a bound that grows becomes the next of the ascending thresholds, or unbounded.
   True if the zone has grown. The zone is not closed afterwards, so a chain of widenings ends. */
bool zone_widen(Zone *, const Zone *, const i128 *thresholds, size_t n);

/* Returns the zone as a formula over n terms, without parts that follow from the rest. terms[0] is unused, and NULL leaves a variable
   out. */
const Expr *zone_formula(Exprs *, const Zone *, const Expr *const *terms);
