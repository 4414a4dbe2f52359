/* SPDX-License-Identifier: Apache-2.0 */
/* Stores sets of small numbers uniquely: equal sets have the same index. All sets of a pool have the same width. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SetPool SetPool;
SetPool *set_pool_new(size_t words); /* words: the width of a set; the empty set has the index 0 */
void set_pool_free(SetPool *);
size_t set_pool_words(const SetPool *);
unsigned set_pool_intern(SetPool *, const uint64_t *words); /* returns the index of a set, new or not */
/* Returns the words of the set, until set_pool_free. */
const uint64_t *set_pool_get(const SetPool *, unsigned set);
bool set_pool_within(const SetPool *, unsigned a, unsigned b); /* true if a is a subset of b */

static inline bool set_has(const uint64_t *words, unsigned i) { return words[i / 64] >> i % 64 & 1; }
static inline void set_add(uint64_t *words, unsigned i) { words[i / 64] |= (uint64_t)1 << i % 64; }
