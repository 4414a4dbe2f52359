/* SPDX-License-Identifier: Apache-2.0 */
/* Applies zones to expressions over integers: restricts a zone by formulas, and bounds terms in a zone. A term that is no difference is
   approximated by its interval. A formula that is not about integers has no effect. */
#pragma once
#include "analysis/zone.h"

/* The symbols of the variables of a zone. */
typedef struct ZoneNames {
    const Symbol **symbols; /* a vec: symbols[i] is variable i + 1 */
} ZoneNames;

/* Adds the integer symbols of an expression that are not there yet. */
void zone_names_add(ZoneNames *, const Expr *);
void zone_names_free(ZoneNames *);

/* Restrict the zone to a - b <= c, or to different a and b. The zone is not closed afterwards. The term NULL stands for 0. */
void zone_assume_difference(Zone *, const ZoneNames *, const Expr *a, const Expr *b, i128 c);
void zone_assume_different(Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* Restricts the zone to where the formula has the value `holds`. The zone is closed before and after. */
void zone_assume(Zone *, const ZoneNames *, const Expr *formula, bool holds);
typedef enum ZoneAnswer { ZONE_NO, ZONE_YES, ZONE_MAYBE } ZoneAnswer;
/* Returns whether the formula holds everywhere in the zone, nowhere, or whether the zone does not decide it. */
ZoneAnswer zone_decides(const Zone *, const ZoneNames *, const Expr *formula);
/* Returns the least known c with a - b <= c. The term NULL stands for 0. */
i128 zone_difference(const Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* True if a and b certainly differ. The term NULL stands for 0. */
bool zone_differ(const Zone *, const ZoneNames *, const Expr *a, const Expr *b);
/* Returns the condition of the first choice in the term that the zone does not decide; NULL if the zone decides all choices. */
const Expr *zone_open_choice(const Zone *, const ZoneNames *, const Expr *term);
/* Returns the expression with the decisions of the zone: decided choices and conditions are replaced, and remainders without effect are
   removed. */
const Expr *zone_simplify(Exprs *, const Zone *, const ZoneNames *, const Expr *);
