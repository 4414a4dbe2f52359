/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. POSIX lets a wait end at any time without a signal, so waiting is releasing the mutex and taking
   it again, and signalling does nothing: exactly the allowed behaviours, with no state in the object.
   This is right for what can be reached. It says nothing about lost signals as a cause of deadlock.

   With --no-spurious, and where it matters whether a wait ends at all, there is a set of waiters: each thread that waits takes a place, a bit. A
   signal wakes any one of them, a broadcast all; a wait is over when the thread was woken. Where waits may also end by themselves, it is chosen when one
   begins whether it will: if so it is as above, and takes no signal; if not it ends by a signal or never. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, ETIMEDOUT = 110 };
typedef struct Waiters {
    u32 waiting; /* places of those that nobody has woken */
    u32 taken;   /* and of those that are on their way */
} Waiters;

static _Bool has_waiters(void) { return !__heddle_spurious() || __heddle_progress(); }
static _Bool ends_by_itself(void) { return __heddle_spurious() && (!__heddle_progress() || __heddle_choose()); }

MODEL int pthread_cond_init(void *condition, const void *attributes) {
    (void)condition, (void)attributes;
    MAY_RETURN(ENOMEM);
    if (has_waiters()) *(Waiters *)condition = (Waiters){0, 0};
    return 0;
}
MODEL int pthread_cond_destroy(void *condition) { (void)condition; return 0; }

static void wake_one(Waiters *w) {
    __heddle_atomic_begin();
    u32 all = w->waiting, one = all & -all, rest = all & (all - 1);
    while (rest && __heddle_choose()) {
        one = rest & -rest;
        rest &= rest - 1;
    }
    w->waiting = all & ~one;
    __heddle_atomic_end();
}
MODEL int pthread_cond_signal(void *condition) {
    if (has_waiters()) wake_one(condition);
    return 0;
}
MODEL int pthread_cond_broadcast(void *condition) {
    if (!has_waiters()) return 0;
    __heddle_atomic_begin();
    ((Waiters *)condition)->waiting = 0;
    __heddle_atomic_end();
    return 0;
}

static int begin_wait(Waiters *w, u32 *mutex, u32 *place) {
    __heddle_atomic_begin();
    int error = __heddle_unlock(mutex);
    if (error == 0) {
        u32 taken = w->taken;
        *place = ~taken & (taken + 1);
        w->taken = taken | *place;
        w->waiting |= *place;
    }
    __heddle_atomic_end();
    return error;
}
/* The wait ends by a signal, or, if it may, by a time-out. */
static int end_wait(Waiters *w, u32 place, _Bool times_out) {
    int result = 0;
    __heddle_atomic_begin();
    u32 waiting = w->waiting;
    __heddle_await(times_out || (waiting & place) == 0);
    if ((waiting & place) != 0) {
        w->waiting = waiting & ~place;
        result = ETIMEDOUT;
    }
    w->taken &= ~place;
    __heddle_atomic_end();
    return result;
}
static int wait_signalled(Waiters *w, u32 *mutex, _Bool times_out) {
    u32 place = 0;
    int error = begin_wait(w, mutex, &place);
    if (error != 0) return error; /* an error-checking mutex of another thread */
    if (place == 0) __heddle_unsupported("more than 32 threads wait for a condition variable");
    int result = end_wait(w, place, times_out);
    error = __heddle_lock(mutex);
    return error != 0 ? error : result;
}

static int wait_at_will(u32 *mutex) {
    int error = __heddle_unlock(mutex);
    if (error != 0) return error; /* an error-checking mutex of another thread */
    return __heddle_lock(mutex);
}
MODEL int pthread_cond_wait(void *condition, u32 *mutex) {
    if (!ends_by_itself()) return wait_signalled(condition, mutex, 0);
    return wait_at_will(mutex);
}
/* What is no time fails at once; it cannot be told from a wait that failed otherwise, unless the program looks at the number. */
static int wait_until(void *condition, u32 *mutex, const long *until, int use) {
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    if (!__heddle_spurious()) return wait_signalled(condition, mutex, __heddle_choose());
    if (!ends_by_itself()) return wait_signalled(condition, mutex, 1);
    int error = wait_at_will(mutex);
    if (error != 0) return error;
    return __heddle_choose() ? ETIMEDOUT : 0;
}
MODEL int pthread_cond_timedwait(void *condition, u32 *mutex, const long *until) {
    return wait_until(condition, mutex, until, __heddle_use());
}
MODEL int pthread_cond_clockwait(void *condition, u32 *mutex, int clock, const long *until) {
    if (clock != 0 && clock != 1) return EINVAL;
    return wait_until(condition, mutex, until, __heddle_use());
}

MODEL int pthread_condattr_init(u32 *attributes) { *attributes = 0; return 0; }
MODEL int pthread_condattr_destroy(u32 *attributes) { (void)attributes; return 0; }
MODEL int pthread_condattr_setclock(u32 *attributes, int clock) {
    (void)attributes;
    return clock == 0 || clock == 1 ? 0 : EINVAL; /* CLOCK_REALTIME, CLOCK_MONOTONIC */
}
MODEL int pthread_condattr_setpshared(u32 *attributes, int shared) {
    (void)attributes;
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}
