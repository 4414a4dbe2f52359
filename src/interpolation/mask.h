/* SPDX-License-Identifier: Apache-2.0 */
/* A set of assertions, by their numbers. */
#pragma once
#include "base/die.h"
#include <stdbool.h>
#include <stdint.h>

enum { MASK_WORDS = 8, MAX_ASSERTIONS = 64 * MASK_WORDS };

typedef struct Mask {
    uint64_t word[MASK_WORDS];
} Mask;

static inline bool mask_has(const Mask *m, unsigned i) { return m->word[i / 64] >> i % 64 & 1; }
static inline void mask_add(Mask *m, unsigned i) {
    ensure(i < MAX_ASSERTIONS);
    m->word[i / 64] |= (uint64_t)1 << i % 64;
}

static inline bool mask_within(const Mask *a, const Mask *b) {
    uint64_t outside = 0;
    for (unsigned i = 0; i < MASK_WORDS; i++) outside |= a->word[i] & ~b->word[i];
    return !outside;
}

static inline void mask_join(Mask *m, const Mask *more) {
    for (unsigned i = 0; i < MASK_WORDS; i++) m->word[i] |= more->word[i];
}

/* For each number i in a mask: unsigned i; for (MaskWalk w = mask_walk(m); mask_next(&w, &i);) */
typedef struct MaskWalk {
    Mask rest;
    unsigned word;
} MaskWalk;

static inline MaskWalk mask_walk(const Mask *m) { return (MaskWalk){*m, 0}; }
static inline bool mask_next(MaskWalk *w, unsigned *i) {
    while (w->word < MASK_WORDS && !w->rest.word[w->word]) w->word++;
    if (w->word == MASK_WORDS) return false;
    *i = 64 * w->word + (unsigned)__builtin_ctzll(w->rest.word[w->word]);
    w->rest.word[w->word] &= w->rest.word[w->word] - 1;
    return true;
}
