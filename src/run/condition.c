/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. A wait has three events: it releases the mutex and begins to wait; it is woken up, expires or wakes up spuriously; and
   it takes the mutex again. */
#include "run/sync.h"
#include "run/cancel.h"
#include <pthread.h>

static bool is_signalled(const Thread *t) { return t->signalled; }
static bool is_free(const Thread *t) { return !t->event.object->owner; }

static unsigned give_mutex_back(Object *mutex) {
    unsigned count = mutex->count;
    mutex->count = 0;
    mutex->owner = NULL;
    object_release(mutex);
    return count;
}

int condition_wait(void *condition, void *lock, const struct timespec *until, Address pc) {
    Object *o = object_at(condition), *mutex = object_at(lock);
    if (until && !vtime_is_valid(until)) return EINVAL;
    Event begins = {.kind = EVENT_ARRIVE, .pc = pc, .object = o, .write = true};
    sync_happen(&begins);
    Event unlocks = {.kind = EVENT_UNLOCK, .pc = pc, .object = mutex};
    history_event(&unlocks, true);
    unsigned count = give_mutex_back(mutex);
    self->signalled = false;
    Event e = {.kind = EVENT_WAIT, .pc = pc, .object = o, .write = true, .timed = until, .cancels = true, .ready = is_signalled};
    e.deadline = until ? vtime_of(until) : 0;
    sync_happen(&e);
    bool expired = self->timed_out && !self->signalled;
    if (self->signalled) object_acquire(o);
    self->signalled = false;
    history_event(&e, expired);
    bool cancelled = thread_is_cancelled(self);
    Event locks = {.kind = EVENT_LOCK, .pc = pc, .object = mutex, .write = true, .ready = is_free};
    sync_happen(&locks);
    sync_own(mutex);
    mutex->count = count ? count : 1;
    history_event(&locks, false);
    if (cancelled) cancel_act();
    return expired ? ETIMEDOUT : 0;
}

int condition_wake(void *condition, EventKind kind, Address pc) {
    Object *o = object_at(condition);
    Thread *waiting[MOST_THREADS];
    unsigned n = 0;
    Event e = {.kind = kind, .pc = pc, .object = o, .write = true};
    sync_happen(&e);
    history_event(&e, false);
    object_release(o);
    for (unsigned i = 0; i < nthreads; i++) {
        Thread *t = threads[i];
        if (t->state == THREAD_LIVE && t->event.kind == EVENT_WAIT && t->event.object == o && !t->signalled) waiting[n++] = t;
    }
    if (kind == EVENT_BROADCAST)
        for (unsigned i = 0; i < n; i++) waiting[i]->signalled = true;
    else if (n) waiting[n > 1 ? scheduler_pick(n) : 0]->signalled = true;
    return 0;
}

EXPORTED int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
    if (scheduler_enter()) {
        bounds_check((Address)c, 1, true, CALLER);
        object_reset(object_at(c));
        scheduler_leave();
    }
    return REAL(pthread_cond_init)(c, a);
}
EXPORTED int pthread_cond_destroy(pthread_cond_t *c) {
    SYNC(REAL(pthread_cond_destroy)(c), (bounds_check((Address)c, 1, true, CALLER), 0));
}
EXPORTED int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
    SYNC(REAL(pthread_cond_wait)(c, m), condition_wait(c, m, NULL, CALLER));
}
EXPORTED int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
    SYNC(REAL(pthread_cond_timedwait)(c, m, until), condition_wait(c, m, until, CALLER));
}
EXPORTED int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
    SYNC(REAL(pthread_cond_clockwait)(c, m, clock, until), condition_wait(c, m, until, CALLER));
}
EXPORTED int pthread_cond_signal(pthread_cond_t *c) { SYNC(REAL(pthread_cond_signal)(c), condition_wake(c, EVENT_SIGNAL, CALLER)); }
EXPORTED int pthread_cond_broadcast(pthread_cond_t *c) {
    SYNC(REAL(pthread_cond_broadcast)(c), condition_wake(c, EVENT_BROADCAST, CALLER));
}
