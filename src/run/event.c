/* SPDX-License-Identifier: Apache-2.0 */
#include "run/event.h"
#include "run/thread.h"

const char *event_word(EventKind kind) {
    static const char *const words[] = {
#define EVENT(name, word) [EVENT_##name] = word,
#include "run/event.def"
#undef EVENT
    };
    return words[kind];
}

bool event_enabled(const Thread *t) {
    const Event *e = &t->event;
    return t->timed_out || thread_is_cancelled(t) || !e->ready || e->ready(t);
}

bool event_conflicts(const Thread *a, const Thread *b) {
    const Event *e = &a->event, *f = &b->event;
    if (e->object || f->object) return e->object == f->object;
    if (!e->address || !f->address || !(e->write || f->write)) return false;
    return e->address < f->address + f->size && f->address < e->address + e->size;
}
