/* SPDX-License-Identifier: Apache-2.0 */
/* A map leads from the hash of a text to the list of texts with that hash. */
#include "base/intern.h"
#include "base/arena.h"
#include "base/map.h"
#include <string.h>

typedef struct Entry Entry;
struct Entry {
    Entry *next;
    size_t length;
    char *text;
};

struct Interner {
    Arena *arena;
    Map *by_hash;
};

Interner *interner_new(void) {
    Arena *a = arena_new();
    Interner *in = arena_new_of(a, Interner);
    in->arena = a;
    in->by_hash = map_new();
    return in;
}

void interner_free(Interner *in) {
    if (!in) return;
    map_free(in->by_hash);
    arena_free(in->arena);
}

const char *intern_n(Interner *in, const char *text, size_t length) {
    uint64_t h = hash_bytes(text, length, 0), head = 0;
    map_get(in->by_hash, h, &head);
    for (Entry *e = (Entry *)(uintptr_t)head; e; e = e->next)
        if (e->length == length && !memcmp(e->text, text, length)) return e->text;
    Entry *e = arena_new_of(in->arena, Entry);
    e->next = (Entry *)(uintptr_t)head;
    e->length = length;
    e->text = arena_strndup(in->arena, text, length);
    map_put(in->by_hash, h, map_key(e));
    return e->text;
}

const char *intern(Interner *in, const char *text) { return intern_n(in, text, strlen(text)); }
