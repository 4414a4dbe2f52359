/* SPDX-License-Identifier: Apache-2.0 */
/* Models attributes of threads, and their scheduling. Only detaching a thread has an effect, as every interleaving is explored anyway. A
   program reads back the values that it sets, and values that cannot be set are refused as by the C library. */
#include "heddle.h"

enum { EPERM = 1, EINVAL = 22, ENOMEM = 12, ERANGE = 34, ENOTSUP = 95 };
enum { LEAST_STACK = 16384, NAME = 16, HIGHEST = 99 };
enum { OTHER, FIFO, ROUND_ROBIN, DEADLINE = 6 };
typedef unsigned long Thread;
typedef struct Attributes {
    int detached, scope, inherit, policy, priority;
    size_t stack, guard; /* 0: the default of the library; guard: the size + 1 */
} Attributes;

MODEL int pthread_attr_init(Attributes *a) {
    MAY_RETURN(ENOMEM);
    a->detached = 0;
    if (__heddle_calls("pthread_attr_getscope")) a->scope = 0;
    if (__heddle_calls("pthread_attr_getinheritsched")) a->inherit = 0;
    if (__heddle_calls("pthread_attr_getschedpolicy") || __heddle_calls("pthread_attr_setschedparam")) a->policy = OTHER;
    if (__heddle_calls("pthread_attr_getschedparam")) a->priority = 0;
    if (__heddle_calls("pthread_attr_getstacksize")) a->stack = 0;
    if (__heddle_calls("pthread_attr_getguardsize")) a->guard = 0;
    return 0;
}
MODEL int pthread_attr_destroy(Attributes *a) {
    (void)a;
    return 0;
}

static int set(int *field, int value, int most) {
    if (value < 0 || value > most) return EINVAL;
    *field = value;
    return 0;
}
MODEL int pthread_attr_setdetachstate(Attributes *a, int state) { return set(&a->detached, state, 1); }
MODEL int pthread_attr_getdetachstate(const Attributes *a, int *state) {
    *state = a->detached;
    return 0;
}
MODEL int pthread_attr_setscope(Attributes *a, int scope) { return scope == 1 ? ENOTSUP : set(&a->scope, scope, 0); }
MODEL int pthread_attr_getscope(const Attributes *a, int *scope) {
    *scope = a->scope;
    return 0;
}
MODEL int pthread_attr_setinheritsched(Attributes *a, int inherit) { return set(&a->inherit, inherit, 1); }
MODEL int pthread_attr_getinheritsched(const Attributes *a, int *inherit) {
    *inherit = a->inherit;
    return 0;
}
MODEL int pthread_attr_setschedpolicy(Attributes *a, int policy) { return set(&a->policy, policy, ROUND_ROBIN); }
MODEL int pthread_attr_getschedpolicy(const Attributes *a, int *policy) {
    *policy = a->policy;
    return 0;
}
MODEL int pthread_attr_setschedparam(Attributes *a, const int *priority) {
    int wanted = *priority, real = a->policy != OTHER;
    if (wanted < real || wanted > real * HIGHEST) return EINVAL;
    a->priority = wanted;
    return 0;
}
MODEL int pthread_attr_getschedparam(const Attributes *a, int *priority) {
    *priority = a->priority;
    return 0;
}

MODEL int pthread_attr_setstacksize(Attributes *a, size_t size) {
    if (size < LEAST_STACK) return EINVAL;
    a->stack = size;
    return 0;
}
MODEL int pthread_attr_getstacksize(Attributes *a, size_t *size) {
    if (a->stack == 0) {
        __heddle_over("the usual size of a stack is any");
        a->stack = __heddle_any_long();
        __heddle_assume(a->stack >= LEAST_STACK);
    }
    *size = a->stack;
    return 0;
}
MODEL int pthread_attr_setstack(Attributes *a, void *stack, size_t size) {
    (void)stack;
    return pthread_attr_setstacksize(a, size);
}
MODEL int pthread_attr_setguardsize(Attributes *a, size_t size) {
    a->guard = size + 1;
    return 0;
}
MODEL int pthread_attr_getguardsize(Attributes *a, size_t *size) {
    if (a->guard == 0) {
        __heddle_over("the usual size of a guard is any");
        a->guard = __heddle_any_long();
        __heddle_assume(a->guard != 0);
    }
    *size = a->guard - 1;
    return 0;
}
MODEL int pthread_attr_setaffinity_np(Attributes *a, size_t size, const void *processors) {
    (void)a, (void)size, (void)processors;
    return 0;
}

/* ---- scheduling ---- */
MODEL int sched_yield(void) { return 0; }
MODEL int pthread_yield(void) { return 0; }
/* The system may forbid it. */
#define MAY_BE_FORBIDDEN()        \
    if (__heddle_use() != UNUSED) \
        if (__heddle_choose()) return EPERM
MODEL int pthread_setschedparam(Thread thread, int policy, const int *priority) {
    (void)thread, (void)priority;
    MAY_BE_FORBIDDEN();
    return policy >= OTHER && policy <= DEADLINE ? 0 : EINVAL;
}
MODEL int pthread_getschedparam(Thread thread, int *policy, int *priority) {
    (void)thread;
    __heddle_over("the scheduling of a thread is any");
    *policy = (int)__heddle_any();
    *priority = (int)__heddle_any();
    __heddle_assume(*policy >= OTHER && *policy <= DEADLINE && *priority >= 0 && *priority <= HIGHEST);
    return 0;
}
MODEL int pthread_setschedprio(Thread thread, int priority) {
    (void)thread, (void)priority;
    MAY_BE_FORBIDDEN();
    return 0;
}
MODEL int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
MODEL int pthread_setaffinity_np(Thread thread, size_t size, const void *set) {
    (void)thread, (void)size, (void)set;
    if (__heddle_use() == UNUSED) return 0;
    return __heddle_choose() ? 0 : EINVAL; /* there may be no such processor */
}
/* A name has at most 16 bytes with its end. */
MODEL int pthread_setname_np(Thread thread, const char *name) {
    (void)thread;
    if (__heddle_use() == UNUSED) return 0;
    for (int i = 0; i < NAME; i++)
        if (name[i] == 0) return 0;
    return ERANGE;
}
