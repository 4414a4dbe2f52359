/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. POSIX lets a wait end at any time without a signal, so waiting is releasing the mutex and taking
   it again, and signalling does nothing: exactly the allowed behaviours, with no state in the object.
   This is right for what can be reached. It says nothing about lost signals as a cause of deadlock.

   With --no-spurious, and where it matters whether a wait ends at all, there is a set of waiters: each thread that waits takes a place, a bit. A
   signal wakes any one of them, a broadcast all; a wait is over when the thread was woken. Where waits may also end by themselves, it is chosen when one
   begins whether it will: if so it is as above, and takes no signal; if not it ends by a signal or never.

   Where it matters whether executions end, waits end by themselves only so often: a number that is chosen when the first wait begins. (That
   they do so without end is no execution that anybody has to reckon with; every finite number is one.) Places are bytes there, a
   few of them: proofs have an easier time with these. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, ETIMEDOUT = 110 };
enum { LEAVES = -1 }; /* a wait is over, and the thread ends */
typedef struct Waiters {
    u32 waiting; /* places of those that nobody has woken */
    u32 taken;   /* and of those that are on their way */
} Waiters;

/* ---- where it matters whether executions end ---- */

enum { SEATS = 4 };
typedef struct Seats {
    u8 waiting[SEATS]; /* somebody waits there, and was not woken */
    u8 taken[SEATS];   /* … or is on his way */
} Seats;
static u32 spare;   /* so many waits may still end by themselves */
static _Bool drawn; /* it is known how many */

static _Bool ends_once_more(void) {
    _Bool ends = 0;
    __heddle_atomic_begin();
    if (!drawn) {
        drawn = 1;
        spare = __heddle_any();
    }
    if (spare != 0 && __heddle_choose()) {
        spare = spare - 1;
        ends = 1;
    }
    __heddle_atomic_end();
    return ends;
}

static void wake_seat(Seats *s) {
    __heddle_atomic_begin();
    _Bool a = s->waiting[0], b = s->waiting[1], c = s->waiting[2], d = s->waiting[3];
    if (a && (!(b || c || d) || __heddle_choose())) s->waiting[0] = 0;
    else if (b && (!(c || d) || __heddle_choose())) s->waiting[1] = 0;
    else if (c && (!d || __heddle_choose())) s->waiting[2] = 0;
    else s->waiting[3] = 0;
    __heddle_atomic_end();
}
static void wake_seats(Seats *s) {
    __heddle_atomic_begin();
    s->waiting[0] = s->waiting[1] = s->waiting[2] = s->waiting[3] = 0;
    __heddle_atomic_end();
}

static int take_seat(Seats *s, u32 *mutex, u32 *place) {
    __heddle_atomic_begin();
    int error = __heddle_unlock(mutex);
    if (error == 0) {
        if (!s->taken[0]) *place = 0, s->taken[0] = s->waiting[0] = 1;
        else if (!s->taken[1]) *place = 1, s->taken[1] = s->waiting[1] = 1;
        else if (!s->taken[2]) *place = 2, s->taken[2] = s->waiting[2] = 1;
        else if (!s->taken[3]) *place = 3, s->taken[3] = s->waiting[3] = 1;
    }
    __heddle_atomic_end();
    return error;
}
/* By a signal, or, if it may, by a time-out. */
static int leave_seat(u8 *waiting, u8 *taken, _Bool times_out) {
    int result = 0;
    __heddle_atomic_begin();
    u8 still = *waiting;
    __heddle_await(times_out || still == 0);
    if (still != 0) {
        *waiting = 0;
        result = ETIMEDOUT;
    }
    *taken = 0;
    __heddle_atomic_end();
    return result;
}
static int wait_seated(Seats *s, u32 *mutex, _Bool times_out) {
    u32 place = SEATS;
    int result, error = take_seat(s, mutex, &place);
    if (error != 0) return error; /* an error-checking mutex of another thread */
    if (place == 0) result = leave_seat(&s->waiting[0], &s->taken[0], times_out);
    else if (place == 1) result = leave_seat(&s->waiting[1], &s->taken[1], times_out);
    else if (place == 2) result = leave_seat(&s->waiting[2], &s->taken[2], times_out);
    else if (place == 3) result = leave_seat(&s->waiting[3], &s->taken[3], times_out);
    else __heddle_unsupported("more than 4 threads wait for a condition variable");
    error = __heddle_lock(mutex);
    return error != 0 ? error : result;
}

/* ---- elsewhere ---- */

static _Bool has_waiters(void) { return !__heddle_spurious() || __heddle_progress(); }
static _Bool ends_by_itself(void) { return __heddle_spurious() && (!__heddle_progress() || __heddle_choose()); }

MODEL int pthread_cond_init(void *condition, const void *attributes) {
    (void)condition, (void)attributes;
    MAY_RETURN(ENOMEM);
    if (__heddle_ends()) *(Seats *)condition = (Seats){{0, 0, 0, 0}, {0, 0, 0, 0}};
    else if (has_waiters()) *(Waiters *)condition = (Waiters){0, 0};
    return 0;
}
MODEL int pthread_cond_destroy(void *condition) {
    (void)condition;
    return 0;
}

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
    if (__heddle_ends()) wake_seat(condition);
    else if (has_waiters()) wake_one(condition);
    return 0;
}
MODEL int pthread_cond_broadcast(void *condition) {
    if (__heddle_ends()) wake_seats(condition);
    if (__heddle_ends() || !has_waiters()) return 0;
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
    if (__heddle_ends()) {
        if (!__heddle_spurious() || !ends_once_more()) return wait_seated(condition, mutex, 0);
        return wait_at_will(mutex);
    }
    if (!ends_by_itself()) return wait_signalled(condition, mutex, 0);
    return wait_at_will(mutex);
}
/* What is no time fails at once; it cannot be told from a wait that failed otherwise, unless the program looks at the number. */
static int wait_until(void *condition, u32 *mutex, const long *until, int use) {
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    if (__heddle_ends()) {
        if (!__heddle_spurious() || !ends_once_more()) return wait_seated(condition, mutex, __heddle_choose());
        return wait_at_will(mutex);
    }
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

/* ---- threads that may be cancelled ---- */

/* A request that is there when the wait begins, or comes while it lasts, ends the thread when it has the mutex again. If it was woken, too, or its
   time is over: either. */
static int outcome(_Bool woken, _Bool asked, _Bool times_out) {
    int result = woken ? 0 : ETIMEDOUT;
    if (!asked) return result;
    if (!woken && !times_out) return LEAVES;
    if (!__heddle_choose()) return result;
    if (woken) __heddle_over("a thread that is cancelled has taken a signal that another one might get");
    return LEAVES;
}
static int seat_or_leave(u8 *waiting, u8 *taken, _Bool times_out) {
    __heddle_atomic_begin();
    _Bool woken = *waiting == 0, asked = is_requested();
    __heddle_await(times_out | woken | asked);
    *waiting = 0;
    *taken = 0;
    __heddle_atomic_end();
    return outcome(woken, asked, times_out);
}
static int wait_seated_or_leave(Seats *s, u32 *mutex, _Bool times_out) {
    u32 place = SEATS;
    int result, error = take_seat(s, mutex, &place);
    if (error != 0) return error;
    if (place == 0) result = seat_or_leave(&s->waiting[0], &s->taken[0], times_out);
    else if (place == 1) result = seat_or_leave(&s->waiting[1], &s->taken[1], times_out);
    else if (place == 2) result = seat_or_leave(&s->waiting[2], &s->taken[2], times_out);
    else if (place == 3) result = seat_or_leave(&s->waiting[3], &s->taken[3], times_out);
    else __heddle_unsupported("more than 4 threads wait for a condition variable");
    error = __heddle_lock(mutex);
    if (result == LEAVES) leave_cancelled();
    return error != 0 ? error : result;
}
static int end_or_leave(Waiters *w, u32 place, _Bool times_out) {
    __heddle_atomic_begin();
    u32 waiting = w->waiting;
    _Bool woken = (waiting & place) == 0, asked = is_requested();
    __heddle_await(times_out | woken | asked);
    w->waiting = waiting & ~place;
    w->taken &= ~place;
    __heddle_atomic_end();
    return outcome(woken, asked, times_out);
}
static int wait_signalled_or_leave(Waiters *w, u32 *mutex, _Bool times_out) {
    u32 place = 0;
    int error = begin_wait(w, mutex, &place);
    if (error != 0) return error;
    if (place == 0) __heddle_unsupported("more than 32 threads wait for a condition variable");
    int result = end_or_leave(w, place, times_out);
    error = __heddle_lock(mutex);
    if (result == LEAVES) leave_cancelled();
    return error != 0 ? error : result;
}
/* The wait ends by itself. asked: the thread was asked to end before. */
static int wait_at_will_or_leave(u32 *mutex, _Bool asked) {
    int error = wait_at_will(mutex);
    if (error != 0) return error;
    if (asked) leave_cancelled();
    if (is_requested() && __heddle_choose()) leave_cancelled();
    return 0;
}
MODEL int wait_or_leave(void *condition, u32 *mutex) __asm__("__heddle_ending_pthread_cond_wait");
MODEL int wait_or_leave(void *condition, u32 *mutex) {
    if (asked_to_end()) return wait_at_will_or_leave(mutex, 1);
    if (__heddle_ends()) {
        if (!__heddle_spurious() || !ends_once_more()) return wait_seated_or_leave(condition, mutex, 0);
        return wait_at_will_or_leave(mutex, 0);
    }
    if (!ends_by_itself()) return wait_signalled_or_leave(condition, mutex, 0);
    return wait_at_will_or_leave(mutex, 0);
}
static int until_or_leave(void *condition, u32 *mutex, const long *until, int use) {
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    if (asked_to_end()) return wait_at_will_or_leave(mutex, 1);
    if (__heddle_ends()) {
        if (!__heddle_spurious() || !ends_once_more()) return wait_seated_or_leave(condition, mutex, __heddle_choose());
        return wait_at_will_or_leave(mutex, 0);
    }
    if (!__heddle_spurious()) return wait_signalled_or_leave(condition, mutex, __heddle_choose());
    if (!ends_by_itself()) return wait_signalled_or_leave(condition, mutex, 1);
    int error = wait_at_will_or_leave(mutex, 0);
    if (error != 0) return error;
    return __heddle_choose() ? ETIMEDOUT : 0;
}
MODEL int timed_or_leave(void *condition, u32 *mutex, const long *until) __asm__("__heddle_ending_pthread_cond_timedwait");
MODEL int timed_or_leave(void *condition, u32 *mutex, const long *until) { return until_or_leave(condition, mutex, until, __heddle_use()); }
MODEL int clock_or_leave(void *condition, u32 *mutex, int clock, const long *until) __asm__("__heddle_ending_pthread_cond_clockwait");
MODEL int clock_or_leave(void *condition, u32 *mutex, int clock, const long *until) {
    if (clock != 0 && clock != 1) return EINVAL;
    return until_or_leave(condition, mutex, until, __heddle_use());
}

/* ---- attributes ---- */

MODEL int pthread_condattr_init(u32 *attributes) {
    *attributes = 0;
    return 0;
}
MODEL int pthread_condattr_destroy(u32 *attributes) {
    (void)attributes;
    return 0;
}
MODEL int pthread_condattr_setclock(u32 *attributes, int clock) {
    (void)attributes;
    return clock == 0 || clock == 1 ? 0 : EINVAL; /* CLOCK_REALTIME, CLOCK_MONOTONIC */
}
MODEL int pthread_condattr_setpshared(u32 *attributes, int shared) {
    (void)attributes;
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}
