/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds sums by counters: s <= c + k * max(0, f), and the same from below, for a thread at each of its locations. */
#pragma once
#include "analysis/intervals.h"

/* One bound. */
typedef struct SumBound {
    const Expr **facts; /* a vec, by location of the thread */
} SumBound;

/* Returns claims about a variable that the thread owns: a bound from above and from below by each counter, where it exists. A vec. The
   claims are guesses, which the caller must prove. */
SumBound *sum_bounds(const Intervals *, const System *, unsigned thread, unsigned variable);
void sum_bounds_free(SumBound *);
