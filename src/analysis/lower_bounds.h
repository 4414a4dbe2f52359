/* SPDX-License-Identifier: Apache-2.0 */
/* The least values that variables of a program ever have, read with sign: those that begin with constants and only grow. */
#pragma once
#include "ir/program.h"

typedef struct LowerBounds LowerBounds;
LowerBounds *lower_bounds_new(const Program *);
void lower_bounds_free(LowerBounds *);
/* Is there a bound, other than that of its type? It holds whenever the variable has been assigned. */
bool lower_bound(const LowerBounds *, const Variable *, int64_t *bound);
