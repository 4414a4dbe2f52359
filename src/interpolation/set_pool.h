/* SPDX-License-Identifier: Apache-2.0 */
/* SetPool of small numbers, made unique: equal sets have equal numbers of their own. All sets of one table have the same width. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SetPool SetPool;
SetPool *set_pool_new(size_t words); /* set 0 is the empty one */
void set_pool_free(SetPool *);
size_t set_pool_words(const SetPool *);
unsigned set_pool_intern(SetPool *, const uint64_t *words);
/* Good until set_pool_free. */
const uint64_t *set_pool_get(const SetPool *, unsigned set);
bool set_pool_within(const SetPool *, unsigned a, unsigned b);

static inline bool set_has(const uint64_t *words, unsigned i) { return words[i / 64] >> i % 64 & 1; }
static inline void set_add(uint64_t *words, unsigned i) { words[i / 64] |= (uint64_t)1 << i % 64; }
