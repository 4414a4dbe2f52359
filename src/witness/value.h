/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of C over integers, as constraints of witnesses have them. */
#pragma once
#include "expr/expr.h"

typedef enum Truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN } Truth;

/* The value of a place: x, a[1], s.next, \result. False: it is not known. */
typedef bool PlaceValue(void *context, const char *name, i128 *value);

/* Is it true? *ill (may be NULL): it cannot be read. Numbers are as large as they need to be. */
Truth value_holds(const char *text, PlaceValue *, void *context, bool *ill);
/* "\result == 5", and nothing else. */
bool value_of_result(const char *text, i128 *value);
