/* SPDX-License-Identifier: Apache-2.0 */
/* Models condition variables. POSIX lets a wait end at any time without a signal. So a wait releases the mutex and takes it again, and a
   signal does nothing: this has exactly the allowed behaviours, without state in the object. For reachability this is exact, but lost
   signals are no cause of deadlock in it.

   With --no-spurious-wakeups, and where it matters whether a wait ends at all, each waiting thread takes a place. A signal wakes any one
   waiting thread, a broadcast all. A wait is over when the thread was woken. If waits may also end by themselves, each wait chooses at
   its beginning whether it will. If so, it behaves as above and takes no signal; else it ends by a signal or never. Places are a few
   bytes, which are easier for proofs than bits.

   Only finitely many waits end by themselves if termination is asked; the first wait chooses their number. Every finite number is
   possible, and no program must expect such waits without end. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, ETIMEDOUT = 110 };
enum { LEAVES = -1 }; /* the wait is over, and the thread ends */
enum { PLACES = 8 };
#define ALL_PLACES(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)
/* If the number of threads is known, each thread has a place, and the last one is free if no other is. */
#define HAS_PLACE(n) __heddle_more_threads(n)
#define IS_LAST(n) (!__heddle_more_threads((n) + 1))
typedef struct Places {
    u8 waiting[PLACES]; /* a thread waits there and was not woken */
    u8 taken[PLACES];   /* a thread waits there, or is about to leave */
    u32 mark;           /* see heddle.h */
    u32 life;           /* initialisation and destruction write it, and uses read it: they may race */
} Places;

/* True if it matters whether a condition variable is destroyed while a thread waits for it. */
#define ENDS_MATTER() (__heddle_lives() && (__heddle_calls("pthread_cond_destroy") || __heddle_calls("cnd_destroy")))
static _Bool has_places(void) { return !__heddle_spurious() || __heddle_progress() || __heddle_ends() || ENDS_MATTER(); }

#define HAS_LIFE                                                                                                    \
    (__heddle_calls("pthread_cond_init") || __heddle_calls("cnd_init") || __heddle_calls("pthread_cond_destroy") || \
     __heddle_calls("cnd_destroy"))
#define USE(p)                                                         \
    if (__heddle_lives()) require_alive(&((const Places *)(p))->mark); \
    if (__heddle_order())                                              \
        if (HAS_LIFE) (void)__atomic_load_n(&((const Places *)(p))->life, __ATOMIC_SEQ_CST)

/* ---- waits that end by themselves ---- */

static u32 spurious_wakeups_left; /* how many waits may still end by themselves */
static _Bool drawn;               /* whether that number was chosen */

static _Bool ends_once_more(void) {
    _Bool ends = 0;
    __heddle_atomic_begin();
    if (!drawn) {
        drawn = 1;
        spurious_wakeups_left = __heddle_any();
    }
    if (spurious_wakeups_left != 0 && __heddle_choose()) {
        spurious_wakeups_left = spurious_wakeups_left - 1;
        ends = 1;
    }
    __heddle_atomic_end();
    return ends;
}

/* Chooses whether the wait that begins ends by itself. */
static _Bool ends_by_itself(void) {
    if (!__heddle_spurious()) return 0;
    if (__heddle_ends()) return ends_once_more();
    if (__heddle_progress() || ENDS_MATTER()) return __heddle_choose();
    return 1;
}

/* ---- places ---- */

/* Wakes any one of the waiting threads, if there is a waiting thread. All but the last are a choice. */
static void wake_one(Places *p) {
    __heddle_atomic_begin();
#define WAITS(n) (HAS_PLACE(n) && p->waiting[n])
    _Bool a = WAITS(0), b = WAITS(1), c = WAITS(2), d = WAITS(3), e = WAITS(4), f = WAITS(5), g = WAITS(6), h = WAITS(7);
    if (a && (!(b || c || d || e || f || g || h) || __heddle_choose())) p->waiting[0] = 0;
    else if (b && (!(c || d || e || f || g || h) || __heddle_choose())) p->waiting[1] = 0;
    else if (c && (!(d || e || f || g || h) || __heddle_choose())) p->waiting[2] = 0;
    else if (d && (!(e || f || g || h) || __heddle_choose())) p->waiting[3] = 0;
    else if (e && (!(f || g || h) || __heddle_choose())) p->waiting[4] = 0;
    else if (f && (!(g || h) || __heddle_choose())) p->waiting[5] = 0;
    else if (g && (!h || __heddle_choose())) p->waiting[6] = 0;
    else if (h) p->waiting[7] = 0;
    else p->waiting[0] = 0; /* it is 0 already: this write records the lost signal */
    __heddle_atomic_end();
}
static void wake_all(Places *p) {
    __heddle_atomic_begin();
#define REST(n) \
    if (HAS_PLACE(n)) p->waiting[n] = 0;
    ALL_PLACES(REST)
    __heddle_atomic_end();
}

static int take_place(Places *p, u32 *mutex, u32 *place) {
    __heddle_atomic_begin();
    int error = __heddle_unlock(mutex);
    if (error == 0) {
#define TAKE(n)                                                                                    \
    if (HAS_PLACE(n) && (IS_LAST(n) || !p->taken[n])) *place = n, p->taken[n] = p->waiting[n] = 1; \
    else
        ALL_PLACES(TAKE) {}
    }
    __heddle_atomic_end();
    return error;
}
/* Waits for a signal or, if times_out, for a time-out as well. */
static int leave_place(u8 *waiting, u8 *taken, _Bool times_out) {
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
static int wait_woken(Places *p, u32 *mutex, _Bool times_out) {
    u32 place = PLACES;
    int result, error = take_place(p, mutex, &place);
    if (error != 0) return error; /* an error-checking mutex of another thread */
#define LEAVE(n)                                                                                                   \
    if (HAS_PLACE(n) && (IS_LAST(n) || place == n)) result = leave_place(&p->waiting[n], &p->taken[n], times_out); \
    else
    ALL_PLACES(LEAVE) __heddle_unsupported("more than 8 threads wait for a condition variable");
    error = __heddle_lock(mutex);
    return error != 0 ? error : result;
}

#define BEGIN_WAIT(condition, mutex) \
    USE(condition);                  \
    if (__heddle_copies()) check_mutex(mutex)

/* ---- what programs call ---- */

static void end_condition(Places *p) {
    require_alive(&p->mark);
    __heddle_atomic_begin();
#define IS_AWAITED(n) \
    if (HAS_PLACE(n) && p->waiting[n]) __heddle_misuse(AWAITED);
    ALL_PLACES(IS_AWAITED)
    p->mark = OBJECT_ENDED;
    __heddle_atomic_end();
}
MODEL int pthread_cond_init(void *condition, const void *attributes) {
    Places *p = condition;
    (void)attributes;
    MAY_RETURN(ENOMEM);
    if (__heddle_lives()) make(&p->mark);
    TOUCH(&p->life);
    if (!has_places()) return 0;
#define CLEAR(n) p->waiting[n] = p->taken[n] = 0;
    ALL_PLACES(CLEAR)
    return 0;
}
MODEL int pthread_cond_destroy(void *condition) {
    Places *p = condition;
    TOUCH(&p->life);
    if (__heddle_lives()) end_condition(p);
    return 0;
}
MODEL int pthread_cond_signal(void *condition) {
    USE(condition);
    if (has_places()) wake_one(condition);
    return 0;
}
MODEL int pthread_cond_broadcast(void *condition) {
    USE(condition);
    if (has_places()) wake_all(condition);
    return 0;
}

static int wait_at_will(u32 *mutex) {
    int error = __heddle_unlock(mutex);
    if (error != 0) return error; /* an error-checking mutex of another thread */
    return __heddle_lock(mutex);
}
MODEL int pthread_cond_wait(void *condition, u32 *mutex) {
    BEGIN_WAIT(condition, mutex);
    return ends_by_itself() ? wait_at_will(mutex) : wait_woken(condition, mutex, 0);
}
/* Waits until a deadline. A time that is not valid makes the call fail immediately. The program can distinguish this from another
   failure only by the number. */
static int wait_until(void *condition, u32 *mutex, const long *until, int use) {
    BEGIN_WAIT(condition, mutex);
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    if (!ends_by_itself()) return wait_woken(condition, mutex, 1);
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

/* Chooses the result of a wait. A request before or during the wait ends the thread once it has the mutex again. If the thread was also
   woken, or its deadline is over, either may happen. */
static int outcome(_Bool woken, _Bool asked, _Bool times_out) {
    int result = woken ? 0 : ETIMEDOUT;
    if (!asked) return result;
    if (!woken && !times_out) return LEAVES;
    if (!__heddle_choose()) return result;
    if (woken) __heddle_over("a thread that is cancelled has taken a signal that another one might get");
    return LEAVES;
}
static int leave_or_end(u8 *waiting, u8 *taken, _Bool times_out) {
    __heddle_atomic_begin();
    _Bool woken = *waiting == 0, asked = is_requested();
    __heddle_await(times_out | woken | asked);
    *waiting = 0;
    *taken = 0;
    __heddle_atomic_end();
    return outcome(woken, asked, times_out);
}
static int wait_woken_or_leave(Places *p, u32 *mutex, _Bool times_out) {
    u32 place = PLACES;
    int result, error = take_place(p, mutex, &place);
    if (error != 0) return error;
#define LEAVE_OR_END(n)                                                                                             \
    if (HAS_PLACE(n) && (IS_LAST(n) || place == n)) result = leave_or_end(&p->waiting[n], &p->taken[n], times_out); \
    else
    ALL_PLACES(LEAVE_OR_END) __heddle_unsupported("more than 8 threads wait for a condition variable");
    error = __heddle_lock(mutex);
    if (result == LEAVES) leave_cancelled();
    return error != 0 ? error : result;
}
/* Waits for a time of its own choice. asked: the thread was asked to end before. */
static int wait_at_will_or_leave(u32 *mutex, _Bool asked) {
    int error = wait_at_will(mutex);
    if (error != 0) return error;
    if (asked) leave_cancelled();
    if (is_requested() && __heddle_choose()) leave_cancelled();
    return 0;
}
MODEL int wait_or_leave(void *condition, u32 *mutex) __asm__("__heddle_ending_pthread_cond_wait");
MODEL int wait_or_leave(void *condition, u32 *mutex) {
    BEGIN_WAIT(condition, mutex);
    if (asked_to_end()) return wait_at_will_or_leave(mutex, 1);
    return ends_by_itself() ? wait_at_will_or_leave(mutex, 0) : wait_woken_or_leave(condition, mutex, 0);
}
static int until_or_leave(void *condition, u32 *mutex, const long *until, int use) {
    BEGIN_WAIT(condition, mutex);
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    if (asked_to_end()) return wait_at_will_or_leave(mutex, 1);
    if (!ends_by_itself()) return wait_woken_or_leave(condition, mutex, 1);
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
    MAY_RETURN(ENOMEM);
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
