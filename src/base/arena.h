/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates memory that is freed all together, with its arena. All memory is zeroed and aligned for any type. Running out of memory ends
   the process (out_of_resources). */
#pragma once
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *);
void *arena_alloc(Arena *, size_t size);
char *arena_strndup(Arena *, const char *text, size_t length);
char *arena_strdup(Arena *, const char *text);
char *arena_printf(Arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns a copy of `size` bytes, or NULL for size 0. */
void *arena_copy(Arena *, const void *bytes, size_t size);

#define arena_new_of(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, n) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n)))
