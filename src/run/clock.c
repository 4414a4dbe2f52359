/* SPDX-License-Identifier: Apache-2.0 */
#include "run/clock.h"
#include "run/thread.h"

Clock *clock_new(void) { return base_memory(sizeof(Clock)); }

void clock_join(Clock *to, const Clock *from) {
    for (unsigned i = 0; i < nthreads; i++)
        if (from->at[i] > to->at[i]) to->at[i] = from->at[i];
}
