/* SPDX-License-Identifier: Apache-2.0 */
/* Models unnamed semaphores. The first 32 bits are the value. The next 32 bits are the number of threads that wait, if the program
   asks for the value. The third 32 bits are the mark (heddle.h). As no signal comes from outside, a wait is never interrupted. */
#include "heddle.h"

enum { EAGAIN = 11, EINVAL = 22, EOVERFLOW = 75, ETIMEDOUT = 110 };
#define SEM_VALUE_MAX 0x7fffffffu
#define WAITERS 1
#define COUNTS_WAITERS __heddle_calls("sem_getvalue")

enum { MARK = 2 }; /* see heddle.h */

static int fail(int error) {
    *__errno_location() = error;
    return -1;
}
MODEL int sem_init(u32 *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    if (__heddle_lives()) make(&semaphore[MARK]);
    *semaphore = value;
    if (COUNTS_WAITERS) semaphore[WAITERS] = 0;
    return 0;
}
MODEL int sem_destroy(u32 *semaphore) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    if (__heddle_lives()) semaphore[MARK] = OBJECT_ENDED;
    TOUCH(semaphore);
    return 0;
}

static void begin_to_wait(u32 *semaphore) {
    if (!COUNTS_WAITERS) return;
    __heddle_atomic_begin();
    semaphore[WAITERS] = semaphore[WAITERS] + 1;
    __heddle_atomic_end();
}
static void end_wait(u32 *semaphore) {
    if (COUNTS_WAITERS) semaphore[WAITERS] = semaphore[WAITERS] - 1;
}
MODEL int sem_wait(u32 *semaphore) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    begin_to_wait(semaphore);
    __heddle_atomic_begin();
    u32 value = *semaphore;
    __heddle_await(value != 0);
    *semaphore = value - 1;
    end_wait(semaphore);
    __heddle_atomic_end();
    return 0;
}
/* Variant for a thread that may be cancelled. */
MODEL int wait_or_leave(u32 *semaphore) __asm__("__heddle_ending_sem_wait");
MODEL int wait_or_leave(u32 *semaphore) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    cancel_point();
    begin_to_wait(semaphore);
    __heddle_atomic_begin();
    u32 value = *semaphore;
    _Bool asked = is_requested();
    __heddle_await((value != 0) | asked);
    _Bool leaves = asked & ((value == 0) | __heddle_choose());
    *semaphore = value - !leaves;
    end_wait(semaphore);
    __heddle_atomic_end();
    if (leaves) leave_cancelled();
    return 0;
}
MODEL int sem_post(u32 *semaphore) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    __heddle_atomic_begin();
    u32 value = *semaphore;
    *semaphore = value + (value != SEM_VALUE_MAX);
    __heddle_atomic_end();
    return value != SEM_VALUE_MAX ? 0 : fail(EOVERFLOW);
}
/* Takes the semaphore or times out. If the value is not zero, the deadline need not be a valid time. */
static int take_until(u32 *semaphore, const long *until) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    if (turned_down()) return fail(ETIMEDOUT);
    __heddle_atomic_begin();
    u32 value = *semaphore;
    *semaphore = value - (value != 0);
    __heddle_atomic_end();
    if (value != 0) return 0;
    return fail(__heddle_calls("__errno_location") && is_no_time(until) ? EINVAL : ETIMEDOUT);
}
static int take(u32 *semaphore, int otherwise) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    if (turned_down()) return fail(otherwise);
    __heddle_atomic_begin();
    u32 value = *semaphore;
    *semaphore = value - (value != 0);
    __heddle_atomic_end();
    return value != 0 ? 0 : fail(otherwise);
}
static u32 value_of(const u32 *semaphore) {
    __heddle_atomic_begin();
    u32 value = *semaphore;
    __heddle_atomic_end();
    return value;
}
/* A thread that finds zero has only read the value, which empties no store buffer. */
MODEL int sem_trywait(u32 *semaphore) {
    if (__heddle_buffered())
        if (value_of(semaphore) == 0) return fail(EAGAIN);
    return take(semaphore, EAGAIN);
}
/* The deadline may be at any moment at which the value is zero. */
MODEL int sem_timedwait(u32 *semaphore, const long *until) { return take_until(semaphore, until); }
MODEL int sem_clockwait(u32 *semaphore, int clock, const long *until) {
    if (clock != 0 && clock != 1) return fail(EINVAL);
    return take_until(semaphore, until);
}
/* POSIX does not let sem_getvalue order anything, and the C library does. So an execution that needs either is not certain. */
static u32 value_without_order(const u32 *semaphore) {
    if (!__heddle_order() && !__heddle_c11()) return __atomic_load_n(semaphore, __ATOMIC_RELAXED);
    if (!__heddle_choose()) return value_of(semaphore);
    __heddle_over("sem_getvalue orders nothing, as in POSIX; in C libraries it does");
    return __atomic_load_n(semaphore, __ATOMIC_RELAXED);
}
MODEL int sem_getvalue(u32 *semaphore, int *value) {
    if (__heddle_lives()) require_alive(&semaphore[MARK]);
    int now = (int)value_without_order(semaphore);
    int waiters = (int)__atomic_load_n(semaphore + WAITERS, __ATOMIC_RELAXED);
    if (now == 0 && waiters != 0 && __heddle_choose()) {
        __heddle_over("sem_getvalue may give the number of waiting threads, as a negative number; with glibc it gives zero");
        now = -waiters;
    }
    *value = now;
    return 0;
}

MODEL void *sem_open(const char *name, int flags, ...) {
    (void)name, (void)flags;
    __heddle_unsupported("named semaphores (sem_open)");
}
MODEL int sem_close(void *semaphore) {
    (void)semaphore;
    __heddle_unsupported("named semaphores (sem_close)");
}
MODEL int sem_unlink(const char *name) {
    (void)name;
    __heddle_unsupported("named semaphores (sem_unlink)");
}
