/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the least values, read with sign, of variables that begin with constants and only grow. */
#pragma once
#include "ir/program.h"

typedef struct LowerBounds LowerBounds;
LowerBounds *lower_bounds_new(const Program *);
void lower_bounds_free(LowerBounds *);
/* True if the variable has a bound greater than the least value of its type. The bound holds once the variable has been assigned. */
bool lower_bound(const LowerBounds *, const Variable *, int64_t *bound);
