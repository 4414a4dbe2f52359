/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. POSIX lets a wait end at any time without a signal, so waiting is releasing the mutex and taking
   it again, and signalling does nothing: exactly the allowed behaviours, with no state in the object.
   This is right for what can be reached. It says nothing about lost signals as a cause of deadlock: a property that
   asks for progress needs a model with the set of waiters. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, ETIMEDOUT = 110 };

MODEL int pthread_cond_init(void *condition, const void *attributes) {
    (void)condition, (void)attributes;
    MAY_RETURN(ENOMEM);
    return 0;
}
MODEL int pthread_cond_destroy(void *condition) { (void)condition; return 0; }
MODEL int pthread_cond_signal(void *condition) { (void)condition; return 0; }
MODEL int pthread_cond_broadcast(void *condition) { (void)condition; return 0; }

MODEL int pthread_cond_wait(void *condition, u32 *mutex) {
    (void)condition;
    int error = __heddle_unlock(mutex);
    if (error != 0) return error; /* an error-checking mutex of another thread */
    return __heddle_lock(mutex);
}
/* What is no time fails at once; it cannot be told from a wait that failed otherwise, unless the program looks at the number. */
static int wait_until(void *condition, u32 *mutex, const long *until, int use) {
    if (use == MATTERS && is_no_time(until)) return EINVAL;
    int error = pthread_cond_wait(condition, mutex);
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
