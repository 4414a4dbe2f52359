/* SPDX-License-Identifier: Apache-2.0 */
/* Finds sets by a hash table with open addressing. */
#include "interpolation/set_pool.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

struct SetPool {
    size_t words;
    Arena *arena;
    const uint64_t **list; /* a vec */
    unsigned *slots;       /* open addressing: index of a set + 1; 0 for a free slot */
    size_t capacity;       /* a power of two, at most half of it used */
};

static size_t slot_for(const SetPool *s, const uint64_t *words) {
    size_t i = hash_bytes(words, s->words * sizeof *words, 7) & (s->capacity - 1);
    while (s->slots[i] && memcmp(s->list[s->slots[i] - 1], words, s->words * sizeof *words)) i = (i + 1) & (s->capacity - 1);
    return i;
}

static void allocate(SetPool *s, size_t capacity) {
    free(s->slots);
    s->slots = zeroed(capacity, sizeof *s->slots);
    s->capacity = capacity;
    for (unsigned i = 0; i < vec_len(s->list); i++) s->slots[slot_for(s, s->list[i])] = i + 1;
}

SetPool *set_pool_new(size_t words) {
    SetPool *s = zeroed(1, sizeof *s);
    s->words = words;
    s->arena = arena_new();
    allocate(s, 64);
    set_pool_intern(s, arena_array(s->arena, uint64_t, words));
    return s;
}

void set_pool_free(SetPool *s) {
    if (!s) return;
    arena_free(s->arena);
    vec_free(s->list);
    free(s->slots);
    free(s);
}

size_t set_pool_words(const SetPool *s) { return s->words; }
const uint64_t *set_pool_get(const SetPool *s, unsigned set) {
    ensure(set < vec_len(s->list));
    return s->list[set];
}

unsigned set_pool_intern(SetPool *s, const uint64_t *words) {
    ensure(2 * vec_len(s->list) <= s->capacity);
    size_t i = slot_for(s, words);
    if (s->slots[i]) return s->slots[i] - 1;
    vec_push(s->list, (const uint64_t *)arena_copy(s->arena, words, s->words * sizeof *words));
    s->slots[i] = (unsigned)vec_len(s->list);
    if (2 * vec_len(s->list) > s->capacity) allocate(s, 2 * s->capacity);
    return (unsigned)vec_len(s->list) - 1;
}

bool set_pool_within(const SetPool *s, unsigned a, unsigned b) {
    uint64_t outside = 0;
    for (size_t i = 0; i < s->words; i++) outside |= s->list[a][i] & ~s->list[b][i];
    return !outside;
}
