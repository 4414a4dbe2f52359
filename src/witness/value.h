/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates C expressions over integers, as the constraints of witnesses contain them. */
#pragma once
#include "expr/expr.h"

typedef enum Truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN } Truth;

/* A value with its type in C. */
typedef struct Number {
    i128 value;
    unsigned width; /* bits, at most 64 */
    bool is_signed, known;
} Number;

/* Names a part of an expression that the evaluation does not support. */
typedef enum Odd {
    ODD_ILL = 1,  /* it cannot be parsed */
    ODD_CALLS = 2 /* it calls a function */
} Odd;

/* Returns through *value the value of a place with its type: x, a[1], s.next, \result. Returns false if it is unknown. */
typedef bool PlaceValue(void *context, const char *name, Number *value);

/* Returns whether the expression is true. long_width: the bits of a long. *odd (may be NULL) becomes a set of Odd. An undefined value
   is unknown. */
Truth value_holds(const char *text, unsigned long_width, PlaceValue *place_value, void *context, unsigned *odd);
/* Returns whether the text has the form "\result == 5", and the number in *value. */
bool value_of_result(const char *text, i128 *value);
/* Returns the number that the lowest bits of an integer type represent. */
i128 value_of_bits(u128 bits, unsigned width, bool is_signed);
