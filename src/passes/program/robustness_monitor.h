/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces trace robustness under TSO to the reachability of an error under sequential consistency; see robustness_monitor.c. */
#pragma once
#include "analysis/delays.h"

/* Returns a sequentially consistent program. If it reaches no error, the given program is trace robust: each state that it reaches under TSO,
   with buffers of any depth, it also reaches under sequential consistency. Returns NULL if its memory is not TSO, or if
   robustness_events.c does not support it. The caller owns the result. */
Program *robustness_monitor(const Program *, const StoreDelays *);
