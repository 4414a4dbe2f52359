/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks: for each thread, how much of it happens before. A thread's own component counts its releases, so an access is described by
   one number (its epoch, as in FastTrack). */
#pragma once
#include "run/shared.h"

typedef struct Clock {
    unsigned at[MOST_THREADS];
} Clock;

Clock *clock_new(void);
/* Makes `to` the least clock that includes both. */
void clock_join(Clock *to, const Clock *from);
