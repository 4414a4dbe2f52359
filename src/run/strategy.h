/* SPDX-License-Identifier: Apache-2.0 */
/* Strategies choose the thread that goes on at a point. */
#pragma once
#include "run/thread.h"

typedef struct Strategy {
    const char *name;
    void (*start)(void);                                 /* a run begins; NULL: nothing to do */
    void (*created)(Thread *);                           /* NULL: nothing to do */
    void (*arrived)(Thread *);                           /* it has published its next event; NULL: nothing to do */
    Thread *(*choose)(Thread *const *enabled, unsigned); /* at least one thread is enabled */
    void (*happened)(const Thread *);                    /* its event happens now; NULL: nothing to do */
} Strategy;

/* Returns the strategy of this run; `mix` chooses one by the seed. NULL: there is no strategy of that name. */
const Strategy *strategy_select(const char *name, uint64_t seed);
extern const Strategy *strategy;
