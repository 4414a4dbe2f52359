/* SPDX-License-Identifier: Apache-2.0 */
#include "result/known.h"
#include <string.h>

static bool same(Position a, Position b) { return a.file && b.file && a.line == b.line && a.column == b.column && !strcmp(a.file, b.file); }

bool known_valid(const Known *k) {
    for (size_t i = 0; i < vec_len(k->list); i++)
        if (k->list[i].error.file && k->list[i].lost.file) return false;
    return vec_len(k->list) <= MOST_KNOWN;
}

void known_free(Known *k) {
    for (size_t i = 0; i < vec_len(k->list); i++) vec_free(k->list[i].places);
    vec_free(k->list);
    if (k->arena) arena_free(k->arena);
}

uint32_t known_at(const Known *k, Position at) {
    uint32_t set = 0;
    for (size_t n = 0; k && n < vec_len(k->list); n++)
        for (size_t i = 0; i < vec_len(k->list[n].places); i++)
            if (same(k->list[n].places[i], at)) set |= UINT32_C(1) << n;
    return set;
}

bool known_error(const Known *k, Position at) {
    for (size_t n = 0; k && n < vec_len(k->list); n++)
        if (same(k->list[n].error, at)) return true;
    return false;
}

bool known_lost(const Known *k, Position at) {
    for (size_t n = 0; k && n < vec_len(k->list); n++)
        if (same(k->list[n].lost, at)) return true;
    return false;
}
