/* SPDX-License-Identifier: Apache-2.0 */
/* Is it possible that others notice that a store is late? As a question about errors under sequential consistency; see robustness_monitor.c. */
#pragma once
#include "analysis/delays.h"

/* A sequentially consistent program: if it reaches no error, then what the given one reaches under TSO, however many stores wait, it reaches under sequential consistency.
   NULL: it cannot be said so. */
Program *robustness_monitor(const Program *, const StoreDelays *);
