/* SPDX-License-Identifier: Apache-2.0 */
#include "run/random.h"

static uint64_t state = 1;

uint64_t random_next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545F4914F6CDD1D);
}

void random_start(uint64_t seed) {
    enum { WARM_UP = 8 };
    state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    if (!state) state = 1;
    for (int i = 0; i < WARM_UP; i++) random_next();
}
