/* SPDX-License-Identifier: Apache-2.0 */
/* Computes numbers up to a multiple: the offsets that a pointer may have in an object, or the values of an expression. */
#pragma once
#include "expr/expr.h"

/* All numbers ≡ residue modulo modulus. Modulus 0 stands for the residue alone, 1 for all numbers. Residues are 64-bit two's complement. */
typedef struct Congruence {
    uint64_t modulus, residue;
} Congruence;

extern const Congruence congruence_any;
/* Returns the congruence with this modulus and residue, a signed number. A modulus that is too large becomes 1. */
Congruence congruence_of(uint64_t modulus, uint64_t residue);
/* The result includes all numbers of both operands, all sums, or all negated numbers. */
Congruence congruence_join(Congruence, Congruence);
Congruence congruence_add(Congruence, Congruence);
Congruence congruence_negate(Congruence);
bool congruence_includes(Congruence, Congruence); /* true if the first includes the second */

/* Returns the congruence of an expression, read as a number with sign. Addresses in the expression are unknown numbers. */
Congruence congruence_number(const Expr *);
/* True if a sum, product or shift, read with sign, never leaves the range of its width, or is undefined where it does. */
bool congruence_exact(const Expr *);
/* True for a constant of at most 64 bits. *value is the constant, read with sign. */
bool congruence_constant(const Expr *, uint64_t *value);
