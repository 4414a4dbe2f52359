/* SPDX-License-Identifier: Apache-2.0 */
/* FENCES 0: none; 1: a full fence where a load must not overtake a store; 2: also where a store must not overtake another. ENDLESS: again and again. */
#include <assert.h>
#include <pthread.h>
#ifndef FENCES
#define FENCES 0
#endif
#if FENCES > 0
#define FULL() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FULL()
#endif
#if FENCES > 1
#define STORES() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define STORES()
#endif
#ifdef ENDLESS
#define ROUNDS while (1)
#else
#define ROUNDS
#endif

static void run(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
