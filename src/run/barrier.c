/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, and the routines of pthread_once. */
#include "run/sync.h"
#include <pthread.h>
#include <string.h>

static bool is_passed(const Thread *t) { return t->event.object->generation != t->event.generation; }

/* The last thread has arrived: what all of them did before is before the passing. */
static void let_pass(Object *o) {
    if (!o->second) o->second = clock_new();
    memcpy(o->second, o->clock, sizeof *o->second);
    o->readers = 0;
    o->generation++;
}

static int arrive(pthread_barrier_t *b, Address pc) {
    Object *o = object_at(b);
    Event e = {.kind = EVENT_ARRIVE, .pc = pc, .object = o, .write = true};
    sync_happen(&e);
    history_event(&e, false);
    object_release(o);
    bool last = ++o->readers == o->count;
    if (last) {
        let_pass(o);
    } else {
        e.kind = EVENT_BARRIER;
        e.generation = o->generation;
        e.ready = is_passed;
        sync_happen(&e);
        history_event(&e, false);
    }
    object_acquire_second(o);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

EXPORTED int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n) {
    if (scheduler_enter()) {
        object_reset(object_at(b));
        object_at(b)->count = n;
        scheduler_leave();
    }
    return REAL(pthread_barrier_init)(b, a, n);
}
EXPORTED int pthread_barrier_destroy(pthread_barrier_t *b) { SYNC(REAL(pthread_barrier_destroy)(b), 0); }
EXPORTED int pthread_barrier_wait(pthread_barrier_t *b) { SYNC(REAL(pthread_barrier_wait)(b), arrive(b, CALLER)); }

/* ---- once ---- */

enum { NEW, RUNNING, DONE };
static bool is_not_running(const Thread *t) { return t->event.object->state != RUNNING; }

void once_run(void *control, void (*routine)(void), Address pc) {
    if (!scheduler_enter()) {
        REAL(pthread_once)(control, routine);
        return;
    }
    Object *o = object_at(control);
    Event e = {.kind = EVENT_ONCE, .pc = pc, .object = o, .write = true, .ready = is_not_running};
    sync_happen(&e);
    history_event(&e, false);
    if (o->state == NEW) {
        o->state = RUNNING;
        scheduler_leave();
        routine();
        if (!scheduler_enter()) return;
        o->state = DONE;
        object_release(o);
    }
    object_acquire(o);
    scheduler_leave();
}

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void)) {
    once_run(control, routine, CALLER);
    return 0;
}
