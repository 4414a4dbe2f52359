/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks which undefined bytes are copies of the same byte. COPY, and a LOAD on the way to memory, leave an undefined byte undefined in
   two places. Each copy gets its own value when it is read, though the program has only one value. Therefore the replay of an execution
   checks that the values agree.

   A byte that was copied has a number, which its copies share. A number gets a value when the first of its bytes is read. The number of
   a place is valid while the byte there is undefined, and is forgotten when the byte becomes undefined again. */
#include "base/map.h"
#include "ir/machine.h"
#include <stdlib.h>

struct Origins {
    Map *numbers; /* place → number; 0 or absent: it has none */
    Map *values;  /* number → value */
    uint64_t last;
    bool differ;
};

void machine_watch_copies(Machine *m) {
    Origins *o = zeroed(1, sizeof *o);
    o->numbers = map_new();
    o->values = map_new();
    m->origins = o;
}

bool machine_copies_differ(const Machine *m) { return m->origins && m->origins->differ; }

void origins_free(Origins *o) {
    if (!o) return;
    map_free(o->numbers);
    map_free(o->values);
    free(o);
}

/* ---- places ---- */

OriginPlace origin_memory(const Machine *m, const Span *s) {
    bool heap = s->seg & HEAP_SEG;
    return (OriginPlace){heap ? m->state->blocks[s->seg & ~HEAP_SEG].granule : s->seg, heap ? 1 : 0, s->base + s->offset};
}

OriginPlace origin_local(const Machine *m, const Slot *slot) { return (OriginPlace){m->thread, 2, 16 * (uint64_t)slot->offset}; }

static uint64_t key_of(OriginPlace p, uint64_t i) {
    uint64_t parts[] = {p.where, p.kind, p.offset + i};
    return hash_bytes(parts, sizeof parts, 0);
}

/* ---- numbers ---- */

void origins_forget(Machine *m, OriginPlace p, uint64_t size) {
    if (!m->origins || !map_size(m->origins->numbers)) return;
    for (uint64_t i = 0; i < size; i++)
        if (map_get(m->origins->numbers, key_of(p, i), NULL)) map_put(m->origins->numbers, key_of(p, i), 0);
}

void origins_copy(Machine *m, OriginPlace to, uint64_t i, OriginPlace from, uint64_t k) {
    Origins *o = m->origins;
    uint64_t number = 0;
    if (!o) return;
    if (!map_get(o->numbers, key_of(from, k), &number) || !number) map_put(o->numbers, key_of(from, k), number = ++o->last);
    map_put(o->numbers, key_of(to, i), number);
}

void origins_copy_mask(Machine *m, OriginPlace to, OriginPlace from, unsigned mask) {
    for (unsigned i = 0; mask >> i; i++)
        if (mask >> i & 1) origins_copy(m, to, i, from, i);
}

void origins_settle(Machine *m, OriginPlace p, unsigned mask, u128 bits) {
    Origins *o = m->origins;
    for (unsigned i = 0; o && mask >> i; i++) {
        uint64_t number = 0, known, value = (uint64_t)(bits >> 8 * i) & 0xff;
        if (!(mask >> i & 1) || !map_get(o->numbers, key_of(p, i), &number) || !number) continue;
        if (map_get(o->values, number, &known)) o->differ |= known != value;
        else map_put(o->values, number, value);
    }
}
