/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the values to try for a choice. For some choices, a few values represent all: for small sorts, and for inputs that are
   only compared with constants, where all values between two neighbouring constants behave alike. For other choices, boundary values
   and the program's constants are a sample. */
#pragma once
#include "ir/step.h"

typedef struct Inputs Inputs;

typedef struct Candidates {
    const u128 *values; /* NULL: the values are 0 … count-1 */
    uint64_t count;
    bool complete; /* they represent all values */
} Candidates;

Inputs *inputs_new(const Program *);
void inputs_free(Inputs *);
/* Makes inputs_candidates return all values of sorts of at most 8 bits, even where a few represent all. Serves tests. */
void inputs_try_all_small(Inputs *);
/* Returns the values to try for the choice. The list is freed by inputs_free. */
Candidates inputs_candidates(Inputs *, const Choice *);
/* Returns a value for a random run; *random is the generator's state. */
u128 inputs_random(Inputs *, const Choice *, uint64_t *random);
/* Returns a random number of this width that a program may read as text: a boundary value, one of the program's constants, or any. */
int64_t inputs_number(Inputs *, unsigned width, uint64_t *random);

static inline uint64_t random_next(uint64_t *state) { /* xorshift64* */
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1du;
}
