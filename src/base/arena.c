/* SPDX-License-Identifier: Apache-2.0 */
/* An arena is a list of chunks, newest first. An allocation larger than a chunk gets a chunk of its own. */
#include "base/arena.h"
#include "base/die.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t used, size; /* without this head */
};

struct Arena {
    Chunk *chunks;
};

enum { ALIGN = 16, CHUNK = 64 * 1024 };
static_assert(sizeof(Chunk) <= 32, "chunk head");

static void *chunk_bytes(Chunk *c) { return (char *)c + 32; }

Arena *arena_new(void) {
    Arena *a = zeroed(1, sizeof *a);
    return a;
}

void arena_free(Arena *a) {
    if (!a) return;
    for (Chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

void *arena_alloc(Arena *a, size_t size) {
    if (size > SIZE_MAX / 2) die("allocation too large");
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    Chunk *c = a->chunks;
    if (!c || c->size - c->used < size) {
        size_t bytes = size > CHUNK ? size : CHUNK;
        c = zeroed(1, 32 + bytes);
        c->size = bytes;
        /* A large request fills its own chunk: the current chunk stays first and serves later requests. */
        if (a->chunks && size > CHUNK) {
            c->next = a->chunks->next;
            a->chunks->next = c;
        } else {
            c->next = a->chunks;
            a->chunks = c;
        }
    }
    void *p = (char *)chunk_bytes(c) + c->used;
    c->used += size;
    ensure(c->used <= c->size);
    return p;
}

char *arena_strndup(Arena *a, const char *text, size_t length) {
    char *p = arena_alloc(a, length + 1);
    memcpy(p, text, length);
    return p;
}

char *arena_strdup(Arena *a, const char *text) { return arena_strndup(a, text, strlen(text)); }

void *arena_copy(Arena *a, const void *bytes, size_t size) {
    if (!size) return NULL;
    return memcpy(arena_alloc(a, size), bytes, size);
}

char *arena_printf(Arena *a, const char *format, ...) {
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return p;
}
