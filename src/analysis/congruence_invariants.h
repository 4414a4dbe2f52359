/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses invariants of systems of integers. A caller must prove an invariant before it uses it. */
#pragma once
#include "system/system.h"

/* Returns assertions x % d == r, for variables that start from constants and change in steps with a common divisor. The vec belongs to the
   caller. For a local, the assertion only holds after the first assignment. */
const Expr **congruence_invariants(const System *);
/* Returns the ranges of the types of unsigned globals that one transition alone assigns. With them, sums of such globals do not wrap
   around. The vec belongs to the caller. */
const Expr **ranges_set_once(const System *);

/* Returns equalities about sums of global variables that are constant up to a number that depends on the threads' locations: what one
   transition takes, another gives. The vec has an equality for each such number, and belongs to the caller. */
const Expr **place_invariants(const System *);
