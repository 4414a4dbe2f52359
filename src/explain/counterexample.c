/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/counterexample.h"

Counterexample *counterexample_new(void) {
    Arena *arena = arena_new();
    Counterexample *s = arena_new_of(arena, Counterexample);
    s->arena = arena;
    return s;
}

void counterexample_free(Counterexample *s) {
    if (!s) return;
    for (size_t i = 0; i < vec_len(s->moments); i++) vec_free(s->moments[i].events);
    vec_free(s->moments);
    vec_free(s->threads);
    vec_free(s->details);
    vec_free(s->waits);
    vec_free(s->inputs);
    arena_free(s->arena);
}
