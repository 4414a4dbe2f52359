/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of a system: what the numbers of the program become. */
#pragma once
#include <stdbool.h>

typedef enum Arithmetic {
    ARITHMETIC_AUTO, /* the engine chooses: integers first, then bit-vectors. No system has it */
    BITVECTORS,      /* as they are */
    INTEGERS,        /* unbounded integers; guards that ask for numbers to differ modulo a power of two ask that they differ */
    CONGRUENT,       /* integers; variables that may wrap around are not brought into range before somebody looks */
    WEAK             /* … and guards are weaker (passes/system/weaken_guards.h), if Chain.weaker says so */
} Arithmetic;

static inline bool arithmetic_has_integers(Arithmetic a) { return a >= INTEGERS; }
static inline bool arithmetic_is_congruent(Arithmetic a) { return a >= CONGRUENT; }
