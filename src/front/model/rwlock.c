/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks: the first 32 bits count the readers, or are all ones while a writer holds the lock. No thread is
   preferred. As POSIX has it undefined, unlocking a lock that is not held is not noticed. */
#include "heddle.h"

enum { ENOMEM = 12, EBUSY = 16, ETIMEDOUT = 110 };
#define WRITER (~0u)

MODEL int pthread_rwlock_init(u32 *lock, const void *attributes) {
    (void)attributes;
    MAY_RETURN(ENOMEM);
    *lock = 0;
    return 0;
}
MODEL int pthread_rwlock_destroy(u32 *lock) { (void)lock; return 0; }

MODEL int pthread_rwlock_rdlock(u32 *lock) {
    __heddle_atomic_begin();
    u32 state = *lock;
    __heddle_await(state != WRITER);
    *lock = state + 1;
    __heddle_atomic_end();
    return 0;
}
MODEL int pthread_rwlock_wrlock(u32 *lock) {
    __heddle_atomic_begin();
    __heddle_await(*lock == 0);
    *lock = WRITER;
    __heddle_atomic_end();
    return 0;
}
MODEL int pthread_rwlock_unlock(u32 *lock) {
    __heddle_atomic_begin();
    u32 state = *lock;
    *lock = state - 1 + 2 * (state == WRITER);
    __heddle_atomic_end();
    return 0;
}

static int try_read(u32 *lock, int otherwise) {
    __heddle_atomic_begin();
    u32 state = *lock;
    *lock = state + (state != WRITER);
    __heddle_atomic_end();
    return state != WRITER ? 0 : otherwise;
}
static int try_write(u32 *lock, int otherwise) {
    __heddle_atomic_begin();
    u32 state = *lock;
    *lock = state - (state == 0); /* WRITER is 0 - 1 */
    __heddle_atomic_end();
    return state == 0 ? 0 : otherwise;
}
MODEL int pthread_rwlock_tryrdlock(u32 *lock) { return try_read(lock, EBUSY); }
MODEL int pthread_rwlock_trywrlock(u32 *lock) { return try_write(lock, EBUSY); }
MODEL int pthread_rwlock_timedrdlock(u32 *lock, const void *until) { (void)until; return try_read(lock, ETIMEDOUT); }
MODEL int pthread_rwlock_timedwrlock(u32 *lock, const void *until) { (void)until; return try_write(lock, ETIMEDOUT); }

MODEL int pthread_rwlockattr_init(u32 *attributes) { *attributes = 0; return 0; }
MODEL int pthread_rwlockattr_destroy(u32 *attributes) { (void)attributes; return 0; }
MODEL int pthread_rwlockattr_setpshared(u32 *attributes, int shared) { (void)attributes, (void)shared; return 0; }
MODEL int pthread_rwlockattr_setkind_np(u32 *attributes, int kind) { (void)attributes, (void)kind; return 0; }
