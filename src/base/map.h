/* SPDX-License-Identifier: Apache-2.0 */
/* Maps 64-bit keys to 64-bit values. Keys may be pointers; strings are interned first. The map has no iteration: what reaches the output
   must not depend on the order of slots. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Map Map;

Map *map_new(void);
void map_free(Map *);
size_t map_size(const Map *);
/* True if the map has the key. *value, unless `value` is NULL, becomes the value of the key. */
bool map_get(const Map *, uint64_t key, uint64_t *value);
void map_put(Map *, uint64_t key, uint64_t value);

static inline uint64_t map_key(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }
/* Returns the pointer that map_set stored for this pointer, or NULL. */
static inline void *map_find(const Map *m, const void *pointer) {
    uint64_t v;
    return map_get(m, map_key(pointer), &v) ? (void *)(uintptr_t)v : NULL;
}
static inline void map_set(Map *m, const void *pointer, const void *value) { map_put(m, map_key(pointer), map_key(value)); }

/* Return well-mixed hashes of some bytes and of a 64-bit word. */
uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);
static inline uint64_t hash_word(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}
