/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. Readers are ordered after writers, and writers after readers, but readers are not ordered with each other. */
#include "run/sync.h"
#include <pthread.h>

static bool may_read(const Thread *t) { return !t->event.object->owner; }
static bool may_write(const Thread *t) { return !t->event.object->owner && !t->event.object->readers; }

static int lock(pthread_rwlock_t *l, bool writes, bool tries, const struct timespec *until, Address pc) {
    Object *o = object_at(l);
    if (o->owner == self) return tries ? EBUSY : EDEADLK;
    if (until && o->owner && !vtime_is_valid(until)) return EINVAL;
    Event e = {.kind = tries ? EVENT_TRY : writes ? EVENT_LOCK : EVENT_READ_LOCK, .pc = pc, .object = o, .write = writes, .timed = until};
    e.deadline = until ? vtime_of(until) : 0;
    if (!tries) e.ready = writes ? may_write : may_read;
    sync_happen(&e);
    bool taken = o->owner || (writes && o->readers);
    history_event(&e, taken);
    if (taken) return tries ? EBUSY : ETIMEDOUT;
    if (writes) {
        sync_own(o);
        object_acquire_second(o);
    } else {
        o->readers++;
        object_acquire(o);
    }
    return 0;
}

static int unlock(pthread_rwlock_t *l, Address pc) {
    Event e = {.kind = EVENT_UNLOCK, .pc = pc, .object = object_at(l), .write = true};
    Object *o = e.object;
    sync_happen(&e);
    history_event(&e, false);
    if (o->owner == self) {
        o->owner = NULL;
        object_release(o);
    } else if (o->readers) {
        o->readers--;
        object_release_second(o);
    }
    return 0;
}

EXPORTED int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) {
    if (scheduler_enter()) {
        object_reset(object_at(l));
        scheduler_leave();
    }
    return REAL(pthread_rwlock_init)(l, a);
}
EXPORTED int pthread_rwlock_destroy(pthread_rwlock_t *l) {
    SYNC(REAL(pthread_rwlock_destroy)(l), (bounds_check((Address)l, 1, true, CALLER), 0));
}
EXPORTED int pthread_rwlock_rdlock(pthread_rwlock_t *l) { SYNC(REAL(pthread_rwlock_rdlock)(l), lock(l, false, false, NULL, CALLER)); }
EXPORTED int pthread_rwlock_wrlock(pthread_rwlock_t *l) { SYNC(REAL(pthread_rwlock_wrlock)(l), lock(l, true, false, NULL, CALLER)); }
EXPORTED int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { SYNC(REAL(pthread_rwlock_tryrdlock)(l), lock(l, false, true, NULL, CALLER)); }
EXPORTED int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { SYNC(REAL(pthread_rwlock_trywrlock)(l), lock(l, true, true, NULL, CALLER)); }
EXPORTED int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
    SYNC(REAL(pthread_rwlock_timedrdlock)(l, until), lock(l, false, false, until, CALLER));
}
EXPORTED int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
    SYNC(REAL(pthread_rwlock_timedwrlock)(l, until), lock(l, true, false, until, CALLER));
}
EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *l) { SYNC(REAL(pthread_rwlock_unlock)(l), unlock(l, CALLER)); }
