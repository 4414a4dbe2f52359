/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the functions of synchronisation share. */
#pragma once
#include "run/bounds.h"
#include "run/scheduler.h"
#include "run/history.h"
#include "run/vtime.h"
#include <errno.h>

/* Executes an event at a point. The object's memory must be valid when it happens. */
static inline void sync_happen(const Event *e) {
    if (e->object) bounds_check(e->object->address, 1, true, e->pc);
    scheduler_event(e, true);
    if (e->object) bounds_check(e->object->address, 1, true, e->pc);
}

/* Takes the lock for the calling thread, whose event has happened. */
static inline void sync_own(Object *o) {
    o->owner = self;
    o->count = 1;
    o->used = true;
    object_acquire(o);
}

/* Executes BODY, an expression, in the runtime. Outside of it, the function of the C library. */
#define SYNC(real, body)                     \
    do {                                     \
        if (!scheduler_enter()) return real; \
        int result_ = (body);                \
        scheduler_leave();                   \
        return result_;                      \
    } while (0)

int mutex_lock(void *mutex, EventKind, const struct timespec *until, Address pc);
int mutex_unlock(void *mutex, Address pc);
int condition_wait(void *condition, void *mutex, const struct timespec *until, Address pc);
int condition_wake(void *condition, EventKind, Address pc); /* SIGNAL or BROADCAST */
int threads_create(pthread_t *, const pthread_attr_t *, void *(*start)(void *), void *argument, Address pc);
int threads_join(pthread_t, void **result, bool tries, const struct timespec *until, Address pc);
void once_run(void *control, void (*routine)(void), Address pc); /* called outside of the runtime */
