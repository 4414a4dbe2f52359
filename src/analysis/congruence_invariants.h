/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* What variables leave as remainders: those that start from constants and go on in steps that have a common divisor, as a vec of
   assertions x % d == r. Of a local it holds once it was set. They are hints: who uses one shows it. */
const Expr **congruence_invariants(const System *);
/* The ranges that unsigned globals have by their types, of those that are set once: sums with them do not wrap around then. Hints as well. */
const Expr **ranges_set_once(const System *);

/* Sums of global variables that keep their value, but for a constant that depends on where threads are: what is taken here is put there. As a
   vec of equalities, one for each such constant. They are hints: who uses one shows it. */
const Expr **place_invariants(const System *);
