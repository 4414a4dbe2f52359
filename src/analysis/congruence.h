/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers known up to a multiple: where in an object a pointer may point, which numbers an expression may be. */
#pragma once
#include "expr/expr.h"

/* All numbers ≡ residue modulo modulus: modulus 0 is exactly residue, 1 is any. Residues are 64-bit two's complement. */
typedef struct Congruence {
    uint64_t modulus, residue;
} Congruence;

extern const Congruence congruence_any;
Congruence congruence_of(uint64_t modulus, uint64_t residue);
/* Of numbers that are in one or the other; of sums; of negative numbers. */
Congruence congruence_join(Congruence, Congruence);
Congruence congruence_add(Congruence, Congruence);
Congruence congruence_negate(Congruence);
bool congruence_includes(Congruence, Congruence); /* all of the second are in the first */

/* The congruence of an expression as a number with sign, pointers aside. */
Congruence congruence_number(const Expr *);
/* A sum, product or shift that never leaves the range of its width, read with sign; or faults if it does. */
bool congruence_exact(const Expr *);
/* A constant of at most 64 bits, read with sign. */
bool congruence_constant(const Expr *, uint64_t *value);
