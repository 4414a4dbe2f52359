/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-vector expressions as mathematical integers: linear arithmetic is what Spacer and interpolation are good at. A
   bit-vector variable becomes an int variable with its signed or unsigned value (by its declared type). Every
   expression becomes an integer that is congruent to it modulo 2^width, with a range; it is brought into the signed
   or unsigned range (a wrap made explicit) only where an operator looks at the value and the range does not exclude
   it. Signed arithmetic that would overflow is undefined in C, so its result is taken to be in range. Variables
   marked `congruent` (and elements of arrays marked so) are not brought into range when they are assigned, but when
   they are looked at: sums that wrap around stay linear, and what is kept by them (x + y is what it was) can be
   said. Exact for executions without faults; bit operations that have no linear counterpart are refused. */
#pragma once
#include "ir/program.h"

typedef struct Integers Integers;
/* It changes nothing of the program: the signs of variables, and which are congruent, are passes of their own
   before. */
Integers *integers_new(const Program *);
void integers_free(Integers *);

/* The int (or array of int, or Bool) symbol that stands for a symbol. */
const Symbol *integers_symbol(Integers *, const Symbol *);
/* A Bool expression over those symbols; NULL: refused. */
const Expr *integers_formula(Integers *, const Expr *);
/* The value a variable takes when e is assigned to it; NULL: refused. */
const Expr *integers_value(Integers *, const Expr *e, const Variable *for_variable);
/* An integer congruent to e, which lies in lo … hi whenever nothing faults; NULL: refused. */
const Expr *integers_number(Integers *, const Expr *e, i128 *lo, i128 *hi);
/* A formula that follows from the given one: integers that are not congruent are not equal. Equality is what proofs
   are about. */
const Expr *integers_weaker(Integers *, const Expr *);
/* What the declared type says of a variable: lo <= x && x <= hi. True for Bool and arrays. */
const Expr *integers_range(Integers *, const Variable *);
const char *integers_refusal(const Integers *); /* which operator was refused last */
