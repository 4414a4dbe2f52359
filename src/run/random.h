/* SPDX-License-Identifier: Apache-2.0 */
/* Makes random numbers: xorshift64*, whose state belongs to one run. */
#pragma once
#include "run/base.h"

void random_start(uint64_t seed);
uint64_t random_next(void);
/* Returns a number below n. */
static inline unsigned random_below(unsigned n) { return (unsigned)(random_next() % n); }
/* Returns a number from 0 to 1. */
static inline double random_unit(void) { return (double)(random_next() >> 11) * (1.0 / 9007199254740992.0); }
