/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/events.h"
#include <string.h>

const char *counterexample_thread(const Counterexample *s, unsigned thread) {
    return thread && thread <= vec_len(s->threads) ? s->threads[thread - 1] : "a thread";
}

static void line_event(const Counterexample *s, Buf *out, const TraceLineEvent *e) {
    const char *name = e->name ? e->name : "?", *value = e->value ? e->value : "?";
    if (e->does) {
        buf_text(out, e->does);
        return;
    }
    switch (e->kind) {
    case ACCESS_READ:
        if (e->exchange_fails) buf_printf(out, "compare-exchange fails: %s is %s", name, value);
        else buf_printf(out, e->value ? "reads %s = %s" : "reads %s", name, value);
        if (e->uninitialised) buf_text(out, " (uninitialised)");
        if (e->input) buf_text(out, " (input)");
        break;
    case ACCESS_WRITE:
        if (e->buffered) buf_printf(out, "%s = %s waits in its store buffer", name, value);
        else if (!e->value) buf_printf(out, "writes %s", name);
        else if (!e->shared || !e->before) buf_printf(out, "%s = %s", name, value);
        else buf_printf(out, "%s: %s → %s", name, e->before, value);
        if (e->arrives) buf_text(out, ", its store arrives in memory");
        if (e->input) buf_text(out, " (input)");
        if (e->uninitialised) buf_text(out, " (uninitialised)");
        break;
    case ACCESS_LOCK:
        if (e->waits) buf_text(out, e->spurious ? "wakes up spuriously, " : "wakes up, ");
        buf_printf(out, e->failed ? "finds %s locked" : "locks %s", name);
        break;
    case ACCESS_UNLOCK: buf_printf(out, e->waits ? "waits, unlocks %s" : "unlocks %s", name); break;
    case ACCESS_ALLOC:
        buf_printf(out, "allocates %s (%s byte%s)", name, value, strcmp(value, "1") ? "s" : "");
        if (e->before) buf_printf(out, ", which reuses the address of %s", e->before);
        break;
    case ACCESS_FREE: buf_printf(out, "frees %s", name); break;
    case ACCESS_CREATE: buf_printf(out, "starts %s", counterexample_thread(s, e->thread)); break;
    case ACCESS_JOIN: buf_printf(out, "joins %s", counterexample_thread(s, e->thread)); break;
    }
}

enum { EVENTS_SHOWN = 8 };

void line_events(const Counterexample *s, Buf *out, const TraceLine *m) {
    size_t n = vec_len(m->events), skipped = n > EVENTS_SHOWN ? n - EVENTS_SHOWN : 0;
    for (size_t i = 0; i < n; i++) {
        if (i) buf_text(out, ", ");
        if (skipped && i == EVENTS_SHOWN / 2) {
            buf_printf(out, "… %zu more …", skipped);
            i += skipped - 1;
        } else {
            line_event(s, out, &m->events[i]);
        }
    }
    if (m->callers) buf_printf(out, "%sin %s ← %s", n ? "; " : "", m->function, m->callers);
}
