/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that grow no faster than counters: s <= c + k * max(0, f), and from below, for a thread at each of its locations. */
#pragma once
#include "analysis/intervals.h"

/* By location of the thread. */
typedef struct SumBound {
    const Expr **facts; /* a vec */
} SumBound;

/* WitnessInvariants about the thread's own variable, one for each counter that bounds it from above or below: a vec. */
SumBound *sum_bounds(const Spans *, const System *, unsigned thread, unsigned variable);
void sum_bounds_free(SumBound *);
