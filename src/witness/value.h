/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates C expressions over integers, as the constraints of witnesses contain them. */
#pragma once
#include "expr/expr.h"

typedef enum Truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN } Truth;

/* Returns through *value the value of a place: x, a[1], s.next, \result. Returns false if it is unknown. */
typedef bool PlaceValue(void *context, const char *name, i128 *value);

/* Returns whether the expression is true. *ill (may be NULL): it cannot be parsed. Numbers do not overflow. */
Truth value_holds(const char *text, PlaceValue *, void *context, bool *ill);
/* Returns whether the text has the form "\result == 5", and the number in *value. */
bool value_of_result(const char *text, i128 *value);
