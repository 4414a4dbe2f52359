/* SPDX-License-Identifier: Apache-2.0 */
#include "run/object.h"
#include "run/thread.h"

enum { BUCKETS = 1 << 14, PAGE_BITS = 12 };
static Object *by_address[BUCKETS], *by_page[BUCKETS];

static unsigned hash(Address key) { return (unsigned)(key * UINT64_C(0x9E3779B97F4A7C15) >> 50) % BUCKETS; }

Object *object_at(const volatile void *place) {
    Address address = (Address)place;
    Object **bucket = &by_address[hash(address)], **page = &by_page[hash(address >> PAGE_BITS)];
    for (Object *o = *bucket; o; o = o->next)
        if (o->address == address) return o;
    Object *o = base_memory(sizeof *o);
    o->address = address;
    o->next = *bucket;
    o->in_page = *page;
    *bucket = *page = o;
    return o;
}

void object_reset(Object *o) {
    o->owner = NULL;
    o->count = o->readers = o->generation = o->state = o->releaser = 0;
    o->used = false;
    o->clock = o->second = NULL;
}

void object_forget(Address from, size_t size) {
    for (Address page = from >> PAGE_BITS; size && page <= (from + size - 1) >> PAGE_BITS; page++)
        for (Object *o = by_page[hash(page)]; o; o = o->in_page)
            if (o->address - from < size) object_reset(o);
}

static void acquire(const Clock *c) {
    if (c) clock_join(self->clock, c);
}

static void release(Clock **c) {
    if (!*c) *c = clock_new();
    clock_join(*c, self->clock);
    self->clock->at[self->id]++;
}

void object_acquire(Object *o) { acquire(o->clock); }
void object_release(Object *o) { release(&o->clock); }
void object_acquire_second(Object *o) { acquire(o->second); }
void object_release_second(Object *o) { release(&o->second); }
