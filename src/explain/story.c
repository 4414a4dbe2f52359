/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/story.h"

Story *story_new(void) {
    Arena *arena = arena_new();
    Story *s = arena_new_of(arena, Story);
    s->arena = arena;
    return s;
}

void story_free(Story *s) {
    if (!s) return;
    for (size_t i = 0; i < vec_len(s->moments); i++) vec_free(s->moments[i].events);
    vec_free(s->moments);
    vec_free(s->threads);
    vec_free(s->details);
    vec_free(s->waits);
    vec_free(s->inputs);
    arena_free(s->arena);
}
