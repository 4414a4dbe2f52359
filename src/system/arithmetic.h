/* SPDX-License-Identifier: Apache-2.0 */
/* Names the arithmetics of systems: what the numbers of the program become. */
#pragma once
#include <stdbool.h>

typedef enum Arithmetic {
    ARITHMETIC_AUTO, /* the engine chooses: integers first, then bit-vectors. A system never has this value */
    BITVECTORS,      /* numbers stay bit-vectors */
    INTEGERS,        /* numbers become unbounded integers; a guard that numbers differ modulo a power of two becomes a guard that they
                        differ */
    CONGRUENT,       /* INTEGERS, and a variable that may wrap around is brought into its range only when it is read */
    WEAK             /* CONGRUENT, and guards are weaker (passes/system/weaken_guards.h) if Chain.has_spurious_errors is set */
} Arithmetic;

static inline bool arithmetic_has_integers(Arithmetic a) { return a >= INTEGERS; }
static inline bool arithmetic_is_congruent(Arithmetic a) { return a >= CONGRUENT; }
