/* SPDX-License-Identifier: Apache-2.0 */
/* Models C11 <threads.h> on the POSIX models. A thread's int result is passed as a pointer. */
#include "heddle.h"

enum { EBUSY = 16, ETIMEDOUT = 110 };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
typedef unsigned long Thread;

int pthread_cond_init(void *condition, const void *attributes);
int pthread_cond_destroy(void *condition);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
int pthread_cond_wait(void *condition, u32 *mutex);
int pthread_cond_timedwait(void *condition, u32 *mutex, const long *until);
int pthread_wait_or_leave(void *condition, u32 *mutex) __asm__("__heddle_ending_pthread_cond_wait");
int pthread_wait_until_or_leave(void *condition, u32 *mutex, const long *until) __asm__("__heddle_ending_pthread_cond_timedwait");
int pthread_join_or_end(Thread thread, void **result) __asm__("__heddle_ending_pthread_join");
int pthread_once(u32 *control, void (*routine)(void));
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);

static int result(int error) {
    return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

/* Calls the parameter itself, as pthread_create does, so that the start function is known. */
#define BEGIN(start) ((void *(*)(void *))(void *)(start))
MODEL int thrd_create(Thread *thread, int (*start)(void *), void *argument) {
    MAY_RETURN(__heddle_choose() ? thrd_nomem : thrd_error);
    MAY_LACK_THREADS(__heddle_choose() ? thrd_nomem : thrd_error);
    if (__heddle_private(thread)) {
        __heddle_atomic_begin();
        *thread = __heddle_create(BEGIN(start), argument);
        if (GIVES_MASK) give_mask((u32)*thread);
        __heddle_atomic_end();
        return thrd_success;
    }
    u32 number;
    if (GIVES_MASK) {
        __heddle_atomic_begin();
        number = __heddle_create(BEGIN(start), argument);
        give_mask(number);
        __heddle_atomic_end();
    } else number = __heddle_create(BEGIN(start), argument);
    *thread = number;
    return thrd_success;
}
MODEL int thrd_join(Thread thread, int *value) {
    int joined = (int)(long)__heddle_join((u32)thread);
    if (value != NULL) *value = joined;
    return thrd_success;
}
MODEL int join_again(Thread thread, int *value) __asm__("__heddle_again_thrd_join"); /* may fail, as the model of pthread_join */
MODEL int join_again(Thread thread, int *value) {
    if (__heddle_lives())
        if (thread == __heddle_self()) __heddle_misuse(SELF);
    if (thread == __heddle_self() && __heddle_choose()) return thrd_error;
    return thrd_join(thread, value);
}
MODEL int join_once(Thread thread, int *value) __asm__("__heddle_once_thrd_join");
MODEL int join_once(Thread thread, int *value) {
    require_held(thread);
    int error = join_again(thread, value);
    if (error != 0) return error;
    take_thread(thread);
    return 0;
}
MODEL int join_or_end(Thread thread, int *value) __asm__("__heddle_ending_thrd_join");
MODEL int join_or_end(Thread thread, int *value) {
    void *joined;
    int error = pthread_join_or_end(thread, &joined);
    if (error != 0) return thrd_error;
    if (value != NULL) *value = (int)(long)joined;
    return thrd_success;
}
MODEL _Noreturn void thrd_exit(int value) { leave_thread((void *)(long)value); }
MODEL int thrd_detach(Thread thread) {
    detach_thread(thread);
    return thrd_success;
}
MODEL Thread thrd_current(void) { return __heddle_self(); }
MODEL int thrd_equal(Thread a, Thread b) { return ANY_LIKE(a == b); }
MODEL void thrd_yield(void) {}
MODEL int thrd_sleep(const long *duration, void *remaining) {
    (void)remaining;
    if (__heddle_use() == UNUSED) return 0;
    return is_no_time(duration) || duration[0] < 0 ? any_like(-1) : 0; /* -1 is for a signal; other negative numbers are for errors */
}
MODEL void call_once(u32 *flag, void (*routine)(void)) { pthread_once(flag, routine); }

MODEL int mtx_init(u32 *mutex, int type) {
    MAY_RETURN(thrd_error);
    if (__heddle_lives()) begin_mutex(mutex);
    __heddle_life();
    *mutex = (u32)(type & mtx_recursive) << 28;
    return thrd_success;
}
MODEL void mtx_destroy(u32 *mutex) {
    TOUCH_MUTEX(mutex);
    if (__heddle_destroys()) destroy_mutex(mutex);
}
MODEL int mtx_lock(u32 *mutex) { return result(__heddle_copies() ? lock_checked(mutex) : __heddle_lock(mutex)); }
/* C11 lets it fail even if the mutex is free. */
MODEL int mtx_trylock(u32 *mutex) {
    if (__heddle_copies()) check_mutex(mutex);
    if (__heddle_choose()) return thrd_busy;
    return result(__heddle_trylock(mutex));
}
MODEL int mtx_timedlock(u32 *mutex, const long *until) {
    if (__heddle_copies()) check_mutex(mutex);
    int error = turned_down() ? EBUSY : __heddle_trylock(mutex);
    if (error != EBUSY) return result(error);
    return __heddle_use() == MATTERS && is_no_time(until) ? thrd_error : thrd_timedout;
}
MODEL int mtx_unlock(u32 *mutex) { return result(__heddle_copies() ? unlock_checked(mutex) : __heddle_unlock(mutex)); }

MODEL int cnd_init(void *condition) { return pthread_cond_init(condition, NULL) == 0 ? thrd_success : thrd_nomem; }
MODEL void cnd_destroy(void *condition) { pthread_cond_destroy(condition); }
MODEL int cnd_signal(void *condition) {
    pthread_cond_signal(condition);
    return thrd_success;
}
MODEL int cnd_broadcast(void *condition) {
    pthread_cond_broadcast(condition);
    return thrd_success;
}
MODEL int cnd_wait(void *condition, u32 *mutex) { return result(pthread_cond_wait(condition, mutex)); }
MODEL int cnd_timedwait(void *condition, u32 *mutex, const long *until) { return result(pthread_cond_timedwait(condition, mutex, until)); }
/* Variants for a thread that may be cancelled. */
MODEL int wait_or_leave(void *condition, u32 *mutex) __asm__("__heddle_ending_cnd_wait");
MODEL int wait_or_leave(void *condition, u32 *mutex) { return result(pthread_wait_or_leave(condition, mutex)); }
MODEL int wait_until_or_leave(void *condition, u32 *mutex, const long *until) __asm__("__heddle_ending_cnd_timedwait");
MODEL int wait_until_or_leave(void *condition, u32 *mutex, const long *until) {
    return result(pthread_wait_until_or_leave(condition, mutex, until));
}

MODEL int tss_create(unsigned *key, void (*destructor)(void *)) { return result(pthread_key_create(key, destructor)); }
MODEL void tss_delete(unsigned key) { pthread_key_delete(key); }
MODEL void *tss_get(unsigned key) { return pthread_getspecific(key); }
MODEL int tss_set(unsigned key, void *value) { return result(pthread_setspecific(key, value)); }
