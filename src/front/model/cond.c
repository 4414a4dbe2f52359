/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. POSIX lets a wait end at any time without a signal, so waiting is releasing the mutex and taking
   it again, and signalling does nothing: exactly the allowed behaviours, with no state in the object.
   This is right for what can be reached. It says nothing about lost signals as a cause of deadlock: a property that
   asks for progress needs a model with the set of waiters. */
#include "heddle.h"

enum { ENOMEM = 12, ETIMEDOUT = 110 };

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
MODEL int pthread_cond_timedwait(void *condition, u32 *mutex, const void *until) {
    (void)until;
    int error = pthread_cond_wait(condition, mutex);
    if (error != 0) return error;
    return __heddle_choose() ? ETIMEDOUT : 0;
}
MODEL int pthread_cond_clockwait(void *condition, u32 *mutex, int clock, const void *until) {
    (void)clock;
    return pthread_cond_timedwait(condition, mutex, until);
}

MODEL int pthread_condattr_init(u32 *attributes) { *attributes = 0; return 0; }
MODEL int pthread_condattr_destroy(u32 *attributes) { (void)attributes; return 0; }
MODEL int pthread_condattr_setclock(u32 *attributes, int clock) { (void)attributes, (void)clock; return 0; }
MODEL int pthread_condattr_setpshared(u32 *attributes, int shared) { (void)attributes, (void)shared; return 0; }
