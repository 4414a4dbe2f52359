/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads, by the POSIX functions: in the C library, their types are the same. */
#include "run/sync.h"
#include <sched.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static int result_of(int error) {
    return !error               ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

typedef struct Start {
    thrd_start_t function;
    void *argument;
} Start;

static void *run(void *start) {
    Start s = *(Start *)start;
    free(start);
    return (void *)(intptr_t)s.function(s.argument);
}

EXPORTED int thrd_create(thrd_t *to, thrd_start_t function, void *argument) {
    if (!scheduler_enter()) return REAL(thrd_create)(to, function, argument);
    Start *s = malloc(sizeof *s);
    if (s) *s = (Start){function, argument};
    int result = s ? threads_create((pthread_t *)to, NULL, run, s, CALLER) : ENOMEM;
    scheduler_leave();
    return result_of(result);
}
EXPORTED int thrd_join(thrd_t thread, int *result) {
    void *value;
    if (!scheduler_enter()) return REAL(thrd_join)(thread, result);
    int error = threads_join((pthread_t)thread, &value, false, NULL, CALLER);
    scheduler_leave();
    if (!error && result) *result = (int)(intptr_t)value;
    return result_of(error);
}
EXPORTED int thrd_detach(thrd_t thread) { return result_of(pthread_detach((pthread_t)thread)); }
EXPORTED void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
EXPORTED void thrd_yield(void) { sched_yield(); }
EXPORTED int thrd_sleep(const struct timespec *t, struct timespec *left) { return nanosleep(t, left); }

EXPORTED int mtx_init(mtx_t *m, int kind) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return result_of(pthread_mutex_init((pthread_mutex_t *)m, &a));
}
EXPORTED void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
EXPORTED int mtx_lock(mtx_t *m) { SYNC(REAL(mtx_lock)(m), result_of(mutex_lock(m, EVENT_LOCK, NULL, CALLER))); }
EXPORTED int mtx_trylock(mtx_t *m) { SYNC(REAL(mtx_trylock)(m), result_of(mutex_lock(m, EVENT_TRY, NULL, CALLER))); }
EXPORTED int mtx_timedlock(mtx_t *m, const struct timespec *until) {
    SYNC(REAL(mtx_timedlock)(m, until), result_of(mutex_lock(m, EVENT_LOCK, until, CALLER)));
}
EXPORTED int mtx_unlock(mtx_t *m) { SYNC(REAL(mtx_unlock)(m), result_of(mutex_unlock(m, CALLER))); }

EXPORTED int cnd_init(cnd_t *c) { return result_of(pthread_cond_init((pthread_cond_t *)c, NULL)); }
EXPORTED void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }
EXPORTED int cnd_wait(cnd_t *c, mtx_t *m) { SYNC(REAL(cnd_wait)(c, m), result_of(condition_wait(c, m, NULL, CALLER))); }
EXPORTED int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) {
    SYNC(REAL(cnd_timedwait)(c, m, until), result_of(condition_wait(c, m, until, CALLER)));
}
EXPORTED int cnd_signal(cnd_t *c) { SYNC(REAL(cnd_signal)(c), result_of(condition_wake(c, EVENT_SIGNAL, CALLER))); }
EXPORTED int cnd_broadcast(cnd_t *c) { SYNC(REAL(cnd_broadcast)(c), result_of(condition_wake(c, EVENT_BROADCAST, CALLER))); }

EXPORTED void call_once(once_flag *flag, void (*routine)(void)) { once_run(flag, routine, CALLER); }
