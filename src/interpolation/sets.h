/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of small numbers, made unique: equal sets have equal numbers of their own. All sets of one table have the same width. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Sets Sets;
Sets *sets_new(size_t words); /* set 0 is the empty one */
void sets_free(Sets *);
size_t sets_words(const Sets *);
unsigned sets_intern(Sets *, const uint64_t *words);
/* Good until sets_free. */
const uint64_t *sets_get(const Sets *, unsigned set);
bool sets_within(const Sets *, unsigned a, unsigned b);

static inline bool set_has(const uint64_t *words, unsigned i) { return words[i / 64] >> i % 64 & 1; }
static inline void set_add(uint64_t *words, unsigned i) { words[i / 64] |= (uint64_t)1 << i % 64; }
