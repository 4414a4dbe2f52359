/* SPDX-License-Identifier: Apache-2.0 */
/* What differences and disequalities of integers hold of the atoms that clauses derive: an abstract interpretation of the clauses,
   whatever rule made them. Interference is a clause like any other. */
#pragma once
#include "smt/horn.h"

typedef struct HornZones HornZones;

/* NULL: no time was left. *solved: what is known excludes every query. */
HornZones *zones_new(const Horn *, double seconds, bool *solved);
void zones_free(HornZones *);
/* What holds of an atom; false if it cannot be derived. */
const Expr *zones_of_atom(const HornZones *, const Expr *atom);
/* Puts it into the clauses' bodies, and makes the choices that it decides (wraps that cannot happen). */
void zones_strengthen(const HornZones *, Horn *);
