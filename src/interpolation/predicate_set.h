/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of predicates by their numbers, as bits. */
#pragma once
#include "base/die.h"
#include <stdbool.h>
#include <stdint.h>

enum { PREDICATE_WORDS = 8, MAX_PREDICATES = 64 * PREDICATE_WORDS };

typedef struct PredicateSet {
    uint64_t word[PREDICATE_WORDS];
} PredicateSet;

static inline bool predicates_has(const PredicateSet *m, unsigned i) { return m->word[i / 64] >> i % 64 & 1; }
static inline void predicates_add(PredicateSet *m, unsigned i) {
    ensure(i < MAX_PREDICATES);
    m->word[i / 64] |= (uint64_t)1 << i % 64;
}

static inline bool predicates_within(const PredicateSet *a, const PredicateSet *b) {
    uint64_t outside = 0;
    for (unsigned i = 0; i < PREDICATE_WORDS; i++) outside |= a->word[i] & ~b->word[i];
    return !outside;
}

static inline void predicates_join(PredicateSet *m, const PredicateSet *more) {
    for (unsigned i = 0; i < PREDICATE_WORDS; i++) m->word[i] |= more->word[i];
}

/* Loops over the numbers i in a set m: unsigned i; for (PredicateWalk w = predicates_walk(m); predicates_next(&w, &i);) */
typedef struct PredicateWalk {
    PredicateSet rest;
    unsigned word;
} PredicateWalk;

static inline PredicateWalk predicates_walk(const PredicateSet *m) { return (PredicateWalk){*m, 0}; }
static inline bool predicates_next(PredicateWalk *w, unsigned *i) {
    while (w->word < PREDICATE_WORDS && !w->rest.word[w->word]) w->word++;
    if (w->word == PREDICATE_WORDS) return false;
    *i = 64 * w->word + (unsigned)__builtin_ctzll(w->rest.word[w->word]);
    w->rest.word[w->word] &= w->rest.word[w->word] - 1;
    return true;
}
