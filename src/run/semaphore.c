/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores inside the process. A post happens before each later wait. Named semaphores begin with the value that the C library
   gives them. */
#include "run/sync.h"
#include <semaphore.h>

static bool is_positive(const Thread *t) { return t->event.object->count; }

/* Returns the state of a semaphore. One that was never initialised here is a named one. */
static Object *state_of(sem_t *s) {
    Object *o = object_at(s);
    int value = 0;
    if (o->used) return o;
    o->used = true;
    if (!REAL(sem_getvalue)(s, &value) && value > 0) o->count = (unsigned)value;
    return o;
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int down(sem_t *s, bool tries, const struct timespec *until, Address pc) {
    Object *o = state_of(s);
    if (until && !o->count && !vtime_is_valid(until)) return fail(EINVAL);
    Event e = {.kind = EVENT_DOWN, .pc = pc, .object = o, .write = true, .timed = until, .cancels = !tries};
    e.deadline = until ? vtime_of(until) : 0;
    if (!tries) e.ready = is_positive;
    sync_happen(&e);
    history_event(&e, !o->count);
    if (!o->count) return fail(tries ? EAGAIN : ETIMEDOUT);
    o->count--;
    object_acquire(o);
    return 0;
}

static int up(sem_t *s, Address pc) {
    Event e = {.kind = EVENT_POST, .pc = pc, .object = state_of(s), .write = true};
    sync_happen(&e);
    history_event(&e, false);
    object_release(e.object);
    e.object->count++;
    return 0;
}

static int value_of(sem_t *s, int *to) {
    *to = (int)state_of(s)->count;
    return 0;
}

EXPORTED int sem_init(sem_t *s, int shared_, unsigned value) {
    if (scheduler_enter()) {
        Object *o = object_at(s);
        bounds_check((Address)s, 1, true, CALLER);
        object_reset(o);
        o->used = true;
        o->count = value;
        scheduler_leave();
    }
    return REAL(sem_init)(s, shared_, value);
}
EXPORTED int sem_destroy(sem_t *s) { SYNC(REAL(sem_destroy)(s), (bounds_check((Address)s, 1, true, CALLER), 0)); }
EXPORTED int sem_wait(sem_t *s) { SYNC(REAL(sem_wait)(s), down(s, false, NULL, CALLER)); }
EXPORTED int sem_trywait(sem_t *s) { SYNC(REAL(sem_trywait)(s), down(s, true, NULL, CALLER)); }
EXPORTED int sem_timedwait(sem_t *s, const struct timespec *until) { SYNC(REAL(sem_timedwait)(s, until), down(s, false, until, CALLER)); }
EXPORTED int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
    SYNC(REAL(sem_clockwait)(s, clock, until), down(s, false, until, CALLER));
}
EXPORTED int sem_post(sem_t *s) { SYNC(REAL(sem_post)(s), up(s, CALLER)); }
EXPORTED int sem_getvalue(sem_t *s, int *to) { SYNC(REAL(sem_getvalue)(s, to), value_of(s, to)); }
