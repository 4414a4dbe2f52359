/* SPDX-License-Identifier: Apache-2.0 */
/* Each granule of the heap has a byte: the number of its first bytes that may be accessed, or FREED. Between blocks, and where no block was
   allocated yet, it is 0. */
#include "run/bounds.h"
#include "run/heap.h"
#include "run/race.h"
#include "run/scheduler.h"
#include <errno.h>
#include <string.h>

enum { FREED = 0xfd };
static const size_t ROOM = (size_t)1 << 36, LEAST_ROOM = (size_t)1 << 28;
static const Address PLACE = (Address)0x600000000000, STATE_PLACE = (Address)0x5f0000000000;
static Address heap;
static size_t room;
static unsigned char *state;

Address bounds_start(size_t *size) {
    for (room = ROOM; room >= LEAST_ROOM; room /= 2) {
        heap = (Address)base_reserve(PLACE, room);
        state = heap ? base_reserve(STATE_PLACE, room / GRANULE) : NULL;
        if (!state) continue;
        *size = room;
        return heap;
    }
    base_die("no memory for the heap: %s", strerror(errno));
}

void bounds_allow(Address from, size_t size) {
    unsigned char *s = state + (from - heap) / GRANULE;
    memset(s, GRANULE, size / GRANULE);
    if (size % GRANULE) s[size / GRANULE] = size % GRANULE;
}

static void mark(Address from, size_t size, int how) { memset(state + (from - heap) / GRANULE, how, (size + GRANULE - 1) / GRANULE); }
void bounds_forget(Address from, size_t size) { mark(from, size, FREED); }
void bounds_forbid(Address from, size_t size) { mark(from, size, 0); }

/* Finds the block that the address lies in or behind. */
static const Block *block_before(Address a) {
    enum { FAR = 1 << 20 };
    Address g = a / GRANULE * GRANULE;
    for (unsigned i = 0; i < FAR && g > heap; i++, g -= GRANULE) {
        const Block *b = heap_block((void *)g);
        if (b) return b;
    }
    return NULL;
}

static _Noreturn void end_run(Address a, size_t size, bool write, Address pc) {
    const Block *b = block_before(a);
    Finding f = {.pc = pc, .address = a, .size = (unsigned)size, .write = write, .thread = self->id, .event = shared->events};
    f.outcome = b && b->freed && a < b->user + b->size ? OUTCOME_FREED : OUTCOME_BOUNDS;
    if (b) heap_describe(b, &f);
    race_make_point(pc);
    if (b && b->freed) race_make_point(b->free_pc);
    scheduler_end_with(&f);
}

void bounds_check(Address a, size_t size, bool write, Address pc) {
    if (a - heap >= room) return;
    const unsigned char *s = state + (a - heap) / GRANULE;
    size_t first = a % GRANULE;
    if (first + size <= GRANULE) { /* in one granule */
        if (*s <= GRANULE && first + size <= *s) return;
        end_run(a, size, write, pc);
    }
    for (Address end = a + size; a < end; s++, first = 0) {
        size_t n = GRANULE - first < end - a ? GRANULE - first : end - a;
        if (*s > GRANULE || first + n > *s) end_run(a, n, write, pc);
        a += n;
    }
}
