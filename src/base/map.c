/* SPDX-License-Identifier: Apache-2.0 */
/* The map is a hash table with open addressing and linear probing. */
#include "base/map.h"
#include "base/die.h"
#include <stdlib.h>
#include <string.h>

typedef struct Slot {
    uint64_t key, value;
    bool used;
} Slot;

struct Map {
    Slot *slots;
    size_t size, capacity; /* capacity is a power of two; at most 3/4 of the slots are used, so that every search ends */
};

static bool map_valid(const Map *m) { return m->capacity && !(m->capacity & (m->capacity - 1)) && 4 * m->size <= 3 * m->capacity; }

/* Returns the slot of the key, or the free slot where it belongs. */
static Slot *slot_for(const Map *m, uint64_t key) {
    size_t i = hash_word(key) & (m->capacity - 1);
    while (m->slots[i].used && m->slots[i].key != key) i = (i + 1) & (m->capacity - 1);
    return &m->slots[i];
}

static void allocate(Map *m, size_t capacity) {
    m->slots = zeroed(capacity, sizeof *m->slots);
    m->capacity = capacity;
}

Map *map_new(void) {
    Map *m = zeroed(1, sizeof *m);
    allocate(m, 16);
    return m;
}

void map_free(Map *m) {
    if (!m) return;
    free(m->slots);
    free(m);
}

size_t map_size(const Map *m) { return m->size; }

bool map_get(const Map *m, uint64_t key, uint64_t *value) {
    const Slot *s = slot_for(m, key);
    if (s->used && value) *value = s->value;
    return s->used;
}

void map_put(Map *m, uint64_t key, uint64_t value) {
    if (4 * (m->size + 1) > 3 * m->capacity) {
        Slot *old = m->slots;
        size_t n = m->capacity;
        allocate(m, 2 * n);
        for (size_t i = 0; i < n; i++)
            if (old[i].used) *slot_for(m, old[i].key) = old[i];
        free(old);
    }
    Slot *s = slot_for(m, key);
    if (!s->used) m->size++;
    *s = (Slot){key, value, true};
    ensure(map_valid(m));
}

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
    const unsigned char *p = bytes;
    uint64_t h = seed ^ (size * 0x9e3779b97f4a7c15u), w;
    for (; size >= 8; size -= 8, p += 8) {
        memcpy(&w, p, 8);
        h = (h ^ w) * 0x9fb21c651e98df25u;
        h ^= h >> 29;
    }
    if (size) {
        w = 0;
        memcpy(&w, p, size);
        h = (h ^ w) * 0x9fb21c651e98df25u;
    }
    return hash_word(h);
}
