/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/explicit/store.h"
#include "base/map.h"
#include "base/messages.h"
#include <stdlib.h>
#include <string.h>

/* A Pool is a growing sequence of words, with a hash table of offsets into it. Offset 0 marks an empty slot of the table. */
typedef struct Entry {
    uint32_t hash, at;
} Entry;
typedef struct Pool {
    uint32_t *words;
    uint64_t used, room;
    Entry *table;
    uint64_t slots, entries; /* slots is a power of two; at most three quarters of them are in use */
} Pool;

/* In `components`, an entry is the number of its words, then the words. In `states`, an entry is a Record. */
struct Store {
    Pool components, states;
    ComponentStore interface;
};

static void pool_init(Pool *p) {
    p->room = 1 << 12;
    p->used = 1;
    p->slots = 1 << 10;
    p->words = zeroed(p->room, sizeof *p->words);
    p->table = zeroed(p->slots, sizeof *p->table);
}

static void pool_free(Pool *p) {
    free(p->words);
    free(p->table);
}

static uint32_t *pool_reserve(Pool *p, uint64_t words) {
    if (p->used + words > p->room) {
        p->room += p->room / 2 + words;
        p->words = realloc(p->words, p->room * sizeof *p->words);
        if (!p->words) out_of_resources(MSG_BASE_NO_MEMORY);
    }
    return p->words + p->used;
}

static void pool_grow_table(Pool *p) {
    Entry *old = p->table;
    uint64_t n = p->slots;
    p->slots *= 2;
    p->table = zeroed(p->slots, sizeof *p->table);
    for (uint64_t i = 0; i < n; i++) {
        if (!old[i].at) continue;
        uint64_t k = old[i].hash & (p->slots - 1);
        while (p->table[k].at) k = (k + 1) & (p->slots - 1);
        p->table[k] = old[i];
    }
    free(old);
}

static uint32_t hash_words(const uint32_t *words, size_t n) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ n;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 29;
    }
    return (uint32_t)hash_word(h);
}

/* Returns the slot of the entry that has these n words from `skip` on and its length at `length_at`, or the empty slot for it. */
static Entry *pool_find(Pool *p, uint32_t hash, const uint32_t *words, size_t n, size_t length_at, size_t skip) {
    uint64_t k = hash & (p->slots - 1);
    for (;; k = (k + 1) & (p->slots - 1)) {
        Entry *e = &p->table[k];
        if (!e->at) return e;
        const uint32_t *there = p->words + e->at;
        if (e->hash == hash && there[length_at] == n && !memcmp(there + skip, words, n * sizeof *words)) return e;
    }
}

static void pool_enter(Pool *p, Entry *e, uint32_t hash, uint64_t words) {
    *e = (Entry){.hash = hash, .at = (uint32_t)p->used};
    p->used += words;
    if (++p->entries * 4 > p->slots * 3) pool_grow_table(p);
}

/* ---- components ---- */

static uint32_t put(void *context, const void *bytes, size_t size) {
    Pool *p = &((Store *)context)->components;
    static const uint32_t nothing = 0;
    if (!bytes) bytes = &nothing;
    size_t n = size / 4; /* a component's size is a multiple of four bytes */
    uint32_t hash = hash_words(bytes, n);
    Entry *e = pool_find(p, hash, bytes, n, 0, 1);
    if (!e->at) {
        uint32_t *to = pool_reserve(p, n + 1);
        to[0] = (uint32_t)n;
        memcpy(to + 1, bytes, size);
        uint32_t at = (uint32_t)p->used;
        pool_enter(p, e, hash, n + 1);
        return at;
    }
    return e->at;
}

static const void *get(void *context, uint32_t id, size_t *size) {
    const uint32_t *there = ((Store *)context)->components.words + id;
    *size = (size_t)there[0] * 4;
    return there + 1;
}

/* ---- states ---- */

Store *store_new(void) {
    Store *s = zeroed(1, sizeof *s);
    pool_init(&s->components);
    pool_init(&s->states);
    s->interface = (ComponentStore){put, get, s};
    return s;
}

void store_free(Store *s) {
    if (!s) return;
    pool_free(&s->components);
    pool_free(&s->states);
    free(s);
}

const ComponentStore *store_components(Store *s) { return &s->interface; }

uint32_t store_add(Store *s, const uint32_t *tuple, size_t length, bool *fresh) {
    Pool *p = &s->states;
    uint32_t hash = hash_words(tuple, length);
    Entry *e = pool_find(p, hash, tuple, length, 0, 2);
    *fresh = !e->at;
    if (e->at) return e->at;
    Record *r = (Record *)(void *)pool_reserve(p, length + 2);
    r->length = (uint32_t)length;
    r->sleep = 0;
    r->on_stack = 0;
    memcpy(r->tuple, tuple, length * sizeof *tuple);
    uint32_t at = (uint32_t)p->used;
    pool_enter(p, e, hash, length + 2);
    return at;
}

Record *store_record(Store *s, uint32_t handle) { return (Record *)(void *)(s->states.words + handle); }

uint64_t store_states(const Store *s) { return s->states.entries; }

static uint64_t pool_bytes(const Pool *p) { return p->used * sizeof *p->words + p->slots * sizeof *p->table; }
uint64_t store_bytes(const Store *s) { return pool_bytes(&s->components) + pool_bytes(&s->states); }

/* Returns the bytes needed while the pool grows. The words are not copied (realloc remaps them); of the table, the old and the new one exist. */
static uint64_t pool_grown(const Pool *p) { return p->room * 3 / 2 * sizeof *p->words + p->slots * 3 * sizeof *p->table; }

bool store_is_full(const Store *s, uint64_t bytes) {
    const uint64_t most = UINT32_MAX - (1u << 24);
    if (s->components.used > most || s->states.used > most) return true;
    return pool_grown(&s->components) + pool_grown(&s->states) > bytes;
}
