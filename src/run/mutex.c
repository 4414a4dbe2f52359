/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes of all kinds, and spin locks. A mutex's kind is in its own bytes, where the C library and static initialisers put it. */
#include "run/sync.h"
#include <pthread.h>

enum { KIND = 3 };
static int kind_of(const pthread_mutex_t *m) { return m->__data.__kind & KIND; }

static bool is_free(const Thread *t) { return !t->event.object->owner; }

/* Takes a lock that the thread does not hold. */
static int take(Object *o, Event *e) {
    bool tries = e->kind == EVENT_TRY;
    if (!tries) e->ready = is_free;
    sync_happen(e);
    int result = !o->owner ? 0 : tries ? EBUSY : ETIMEDOUT;
    if (!result) sync_own(o);
    history_event(e, result);
    return result;
}

int mutex_lock(void *mutex, EventKind kind, const struct timespec *until, Address pc) {
    Object *o = object_at(mutex);
    int how = kind_of(mutex);
    if (o->owner == self && how == PTHREAD_MUTEX_RECURSIVE) {
        o->count++;
        return 0;
    }
    if (o->owner == self && how == PTHREAD_MUTEX_ERRORCHECK) return kind == EVENT_TRY ? EBUSY : EDEADLK;
    if (until && o->owner && !vtime_is_valid(until)) return EINVAL;
    Event e = {.kind = kind, .pc = pc, .object = o, .write = true, .timed = until, .deadline = until ? vtime_of(until) : 0};
    return take(o, &e);
}

int mutex_unlock(void *mutex, Address pc) {
    Object *o = object_at(mutex);
    if (o->owner == self && o->count > 1) {
        o->count--;
        return 0;
    }
    Event e = {.kind = EVENT_UNLOCK, .pc = pc, .object = o, .write = true};
    sync_happen(&e);
    if (o->owner != self && kind_of(mutex) != PTHREAD_MUTEX_NORMAL) return EPERM;
    history_event(&e, false);
    o->owner = NULL;
    object_release(o);
    return 0;
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
    if (scheduler_enter()) {
        bounds_check((Address)m, 1, true, CALLER);
        object_reset(object_at(m));
        scheduler_leave();
    }
    return REAL(pthread_mutex_init)(m, a);
}
EXPORTED int pthread_mutex_destroy(pthread_mutex_t *m) {
    SYNC(REAL(pthread_mutex_destroy)(m), (bounds_check((Address)m, 1, true, CALLER), 0));
}
EXPORTED int pthread_mutex_lock(pthread_mutex_t *m) { SYNC(REAL(pthread_mutex_lock)(m), mutex_lock(m, EVENT_LOCK, NULL, CALLER)); }
EXPORTED int pthread_mutex_trylock(pthread_mutex_t *m) { SYNC(REAL(pthread_mutex_trylock)(m), mutex_lock(m, EVENT_TRY, NULL, CALLER)); }
EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    SYNC(REAL(pthread_mutex_timedlock)(m, until), mutex_lock(m, EVENT_LOCK, until, CALLER));
}
EXPORTED int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
    SYNC(REAL(pthread_mutex_clocklock)(m, clock, until), mutex_lock(m, EVENT_LOCK, until, CALLER));
}
EXPORTED int pthread_mutex_unlock(pthread_mutex_t *m) { SYNC(REAL(pthread_mutex_unlock)(m), mutex_unlock(m, CALLER)); }

/* ---- spin locks ---- */

static int spin_lock(volatile void *lock, EventKind kind, Address pc) {
    Event e = {.kind = kind, .pc = pc, .object = object_at(lock), .write = true};
    return take(e.object, &e);
}

static int spin_unlock(volatile void *lock, Address pc) {
    Event e = {.kind = EVENT_UNLOCK, .pc = pc, .object = object_at(lock), .write = true};
    sync_happen(&e);
    history_event(&e, false);
    e.object->owner = NULL;
    object_release(e.object);
    return 0;
}

EXPORTED int pthread_spin_init(pthread_spinlock_t *s, int shared_) {
    if (scheduler_enter()) {
        object_reset(object_at(s));
        scheduler_leave();
    }
    return REAL(pthread_spin_init)(s, shared_);
}
EXPORTED int pthread_spin_destroy(pthread_spinlock_t *s) { return REAL(pthread_spin_destroy)(s); }
EXPORTED int pthread_spin_lock(pthread_spinlock_t *s) { SYNC(REAL(pthread_spin_lock)(s), spin_lock(s, EVENT_LOCK, CALLER)); }
EXPORTED int pthread_spin_trylock(pthread_spinlock_t *s) { SYNC(REAL(pthread_spin_trylock)(s), spin_lock(s, EVENT_TRY, CALLER)); }
EXPORTED int pthread_spin_unlock(pthread_spinlock_t *s) { SYNC(REAL(pthread_spin_unlock)(s), spin_unlock(s, CALLER)); }
