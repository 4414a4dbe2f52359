/* SPDX-License-Identifier: Apache-2.0 */
/* Translates bit-vector expressions to mathematical integers, since Spacer and interpolation work best on linear arithmetic.

   A bit-vector variable becomes an integer variable with its signed or unsigned value, as declared. Each expression becomes an integer that is
   congruent to it modulo 2^width, and has a range. The integer is brought into the signed or unsigned range, by an explicit wrap-around, only
   if an operator depends on the value and the range exceeds the type. Signed overflow is undefined in C, so the result of signed arithmetic is
   assumed to be in range. A variable marked `congruent`, or an element of such an array, is brought into range when it is read, not when it is
   assigned. So sums that wrap around stay linear, and invariants such as "x + y is constant" can be expressed.

   The translation is exact for executions without faults. Bit operations without a linear counterpart are refused. */
#pragma once
#include "ir/program.h"

typedef struct Integers Integers;
/* Returns a translation for the program, which must outlive it and does not change. The passes signs and find-wraps have marked the variables
   before. */
Integers *integers_new(const Program *);
void integers_free(Integers *);

/* Returns the image of a symbol: a symbol of sort Int, Bool, or array of these. */
const Symbol *integers_symbol(Integers *, const Symbol *);
/* Returns the image of a Bool expression, or NULL if it is refused. */
const Expr *integers_formula(Integers *, const Expr *);
/* Returns the value that the variable has after e is assigned to it, or NULL if e is refused. */
const Expr *integers_value(Integers *, const Expr *e, const Variable *for_variable);
/* Returns an integer that is congruent to e and lies in lo … hi unless e faults, or NULL if e is refused. */
const Expr *integers_number(Integers *, const Expr *e, i128 *lo, i128 *hi);
/* Returns a formula that the given one implies: "not congruent" becomes "not equal". Proofs are simpler with equalities. */
const Expr *integers_weaken(Integers *, const Expr *);
/* Returns the bounds lo <= x && x <= hi that the declared type gives a variable; true for Bool, arrays and congruent variables. */
const Expr *integers_range(Integers *, const Variable *);
const char *integers_refusal(const Integers *); /* the operator that was refused last */
