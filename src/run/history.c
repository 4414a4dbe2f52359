/* SPDX-License-Identifier: Apache-2.0 */
#include "run/history.h"
#include <string.h>

static Entry *add(EventKind kind, Address pc) {
    Entry *e = &shared->entries[shared->nentries++ % MOST_ENTRIES];
    *e = (Entry){.event = shared->events, .kind = (unsigned char)kind, .thread = (unsigned short)self->id, .pc = pc};
    unsigned depth = self->depth < MOST_FRAMES ? self->depth : MOST_FRAMES;
    while (e->calls < MOST_CALLS && e->calls < depth) {
        e->call[e->calls] = self->frames[depth - 1 - e->calls];
        e->calls++;
    }
    return e;
}

/* Reads an integer of 1, 2, 4 or 8 bytes. */
static uint64_t value_at(Address a, unsigned size) {
    uint64_t value = 0;
    memcpy(&value, (const void *)a, size);
    return value;
}

void history_access(const Event *event) {
    if (!limits.history) return;
    Entry *e = add(event->kind, event->pc);
    e->address = event->address;
    e->size = event->size > 255 ? 255 : (unsigned char)event->size;
    e->write = event->write;
    e->has_value = event->size <= sizeof e->value;
    if (!e->has_value) return;
    e->value = e->before = value_at(event->address, event->size);
    if (event->write) self->pending = e;
}

void history_complete(void) {
    Entry *e = self->pending;
    if (!e) return;
    self->pending = NULL;
    e->value = value_at(e->address, e->size);
}

void history_drop(void) {
    if (self->pending) self->pending->has_value = false;
    self->pending = NULL;
}

void history_event(const Event *event, bool flag) {
    if (!limits.history) return;
    Entry *e = add(event->kind, event->pc);
    e->address = event->object ? event->object->address : event->address;
    e->flag = flag;
}

void history_thread(EventKind kind, const Thread *other, Address pc) {
    if (limits.history) add(kind, pc)->other = (unsigned short)other->id;
}

void history_block(EventKind kind, const void *memory, size_t size, Address pc) {
    if (!limits.history) return;
    Entry *e = add(kind, pc);
    e->address = (Address)memory;
    e->value = size;
}
