/* SPDX-License-Identifier: Apache-2.0 */
/* Zones over the integer symbols of expressions: what a formula tells, what a term can be. What is no difference is taken by
   intervals; what is not about integers tells nothing. */
#pragma once
#include "analysis/zone.h"

/* Which variable of a zone a symbol is. */
typedef struct ZoneNames {
    const Symbol **symbols; /* a vec: symbols[i] is variable i + 1 */
} ZoneNames;

/* The integer symbols of an expression, if they are not there yet. */
void zone_names_add(ZoneNames *, const Expr *);
void zone_names_free(ZoneNames *);

/* Only where a - b <= c; only where a and b differ. The zone is not closed after. */
void zone_assume_difference(Zone *, const ZoneNames *, const Expr *a, const Expr *b, i128 c);
void zone_assume_apart(Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* Only where the formula is `holds`. The zone is closed before and after. */
void zone_assume(Zone *, const ZoneNames *, const Expr *formula, bool holds);
typedef enum ZoneAnswer { ZONE_NO, ZONE_YES, ZONE_MAYBE } ZoneAnswer;
ZoneAnswer zone_decides(const Zone *, const ZoneNames *, const Expr *formula);
/* In all of these a term that is NULL stands for 0. The least c known with a - b <= c. */
i128 zone_difference(const Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* Is it known that a and b differ? */
bool zone_differ(const Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* The condition of the first choice in the term that is open; NULL: there is none. */
const Expr *zone_open_choice(const Zone *, const ZoneNames *, const Expr *term);
/* The expression, with what the zone decides put in: choices made, remainders that change nothing left out. */
const Expr *zone_simplify(Exprs *, const Zone *, const ZoneNames *, const Expr *);
