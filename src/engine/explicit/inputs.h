/* SPDX-License-Identifier: Apache-2.0 */
/* Which values to try for a choice. For some choices a few values stand for all: small sorts, and inputs that are only
   ever compared with constants, where one value between neighbouring constants behaves as any other. Elsewhere boundary
   values and the program's constants are a sample. */
#pragma once
#include "ir/step.h"

typedef struct Inputs Inputs;

typedef struct Candidates {
    const u128 *values; /* NULL: the values are 0 … count-1 */
    uint64_t count;
    bool complete; /* they stand for all values */
} Candidates;

Inputs *inputs_new(const Program *);
void inputs_free(Inputs *);
/* From now on all values of sorts of up to 8 bits are tried, even where a few stand for all. (For tests.) */
void inputs_try_all_small(Inputs *);
Candidates inputs_candidates(Inputs *, const Choice *);
/* A value for a random run; *random is the generator's state. */
u128 inputs_random(Inputs *, const Choice *, uint64_t *random);
/* A number of this width, as its text might be read: a boundary value, one of the program's constants, or any. */
int64_t inputs_number(Inputs *, unsigned width, uint64_t *random);

static inline uint64_t random_next(uint64_t *state) { /* xorshift64* */
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1du;
}
