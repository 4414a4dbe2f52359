/* SPDX-License-Identifier: Apache-2.0 */
/* Models the creation and joining of POSIX threads. A pthread_t is the thread's number. Scheduling (attributes, priorities, yielding)
   has no effect, as every interleaving is explored anyway. cancel.c has threads that end early. */
#include "heddle.h"

enum { EAGAIN = 11, ENOMEM = 12, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
typedef unsigned long Thread;

enum { MANY = 8, DETACHED = 1 };
#define MAY_DETACH (__heddle_calls("pthread_detach") || __heddle_calls("thrd_detach") || __heddle_calls("pthread_attr_setdetachstate"))
/* ---- uses of a number after the life of its thread: it was joined, or detached and has ended ---- */
/* As a condition, it is known when the program is translated. */
#define USES_NUMBERS ((__heddle_calls("pthread_cancel") || __heddle_calls("pthread_kill")) && __heddle_lives())
#define WAITS_FOR_ENDS (__heddle_calls("pthread_cancel") && (__heddle_progress() || __heddle_ends()))
#define NOTES_ENDS (WAITS_FOR_ENDS || (USES_NUMBERS && MAY_DETACH))
static u32 ended[MANY], joined[MANY], detached[MANY];
static u32 ends, joins, detaches;
static void add(u32 *list, u32 *count, u32 thread) {
    u32 n = *count;
    if (n < MANY) list[n] = thread;
    *count = n + (n <= MANY);
}
/* Works in one step and without branches, as threads may wait for it. */
static _Bool has(const u32 *l, u32 n, u32 thread) {
    _Bool early = ((n > 0) & (l[0] == thread)) | ((n > 1) & (l[1] == thread)) | ((n > 2) & (l[2] == thread)) | ((n > 3) & (l[3] == thread));
    _Bool late = ((n > 4) & (l[4] == thread)) | ((n > 5) & (l[5] == thread)) | ((n > 6) & (l[6] == thread)) | ((n > 7) & (l[7] == thread));
    return early | late;
}
static void note_joined(Thread thread) {
    __heddle_atomic_begin();
    add(joined, &joins, (u32)thread);
    __heddle_atomic_end();
}
static void note_detached(Thread thread) {
    __heddle_atomic_begin();
    add(detached, &detaches, (u32)thread);
    __heddle_atomic_end();
}
MODEL void require_life(Thread thread) {
    __heddle_atomic_begin();
    if (has(joined, joins, (u32)thread)) __heddle_misuse(LIFE);
    if (MAY_DETACH)
        if (has(detached, detaches, (u32)thread) && has(ended, ends, (u32)thread)) __heddle_misuse(LIFE);
    if (joins > MANY || detaches > MANY || ends > MANY)
        __heddle_unsupported("a use of a thread's number, after more than 8 threads were joined or have ended");
    __heddle_atomic_end();
}

/* ---- threads that no other thread may wait for any more ---- */
enum { MOST_GONE = 32 };
static u32 gone[MOST_GONE]; /* numbers of the threads that were joined or detached; unlike ids, numbers are never used again */
static u32 leavers;
static void add_gone(Thread thread) {
    u32 n = leavers;
    if (n < MOST_GONE) gone[n] = (u32)thread;
    leavers = n + (n <= MOST_GONE);
}
static void look_for(Thread thread) {
    for (u32 i = 0; i < MOST_GONE && i < leavers; i++)
        if (gone[i] == (u32)thread) __heddle_join(NOBODY);
    if (leavers <= MOST_GONE || __heddle_choose()) return;
    __heddle_over("more than 32 threads were joined or detached: one may be again");
    __heddle_join(NOBODY);
}
MODEL void let_go(Thread thread) {
    if (!__heddle_joins_in_vain()) return;
    __heddle_atomic_begin();
    add_gone(thread);
    __heddle_atomic_end();
}
/* Checks a thread before a wait for its end. A thread that was joined has ended, so a wait for it ends as well, and the check after the
   wait is early enough. */
MODEL void require_held(Thread thread) {
    if (__heddle_lives() && !MAY_DETACH) return;
    __heddle_atomic_begin();
    look_for(thread);
    __heddle_atomic_end();
}
MODEL void take_thread(Thread thread) {
    __heddle_atomic_begin();
    look_for(thread);
    add_gone(thread);
    __heddle_atomic_end();
}
MODEL void detach_thread(Thread thread) {
    if (USES_NUMBERS) note_detached(thread);
    if (__heddle_lives() && __heddle_joins_in_vain()) take_thread(thread);
    else let_go(thread);
}

static void let_go_early(Thread thread, const u32 *attributes) {
    if (!__heddle_calls("pthread_attr_setdetachstate")) return;
    if (!__heddle_joins_in_vain() && !USES_NUMBERS) return;
    if (attributes == NULL || *attributes != DETACHED) return;
    if (USES_NUMBERS) note_detached(thread);
    let_go(thread);
}

/* ---- creating and joining ---- */
/* The new thread may run before its number is stored: POSIX promises only that it is stored when the call returns. */
MODEL int pthread_create(Thread *thread, const void *attributes, void *(*start)(void *), void *argument) {
    MAY_RETURN(EAGAIN);
    MAY_LACK_THREADS(EAGAIN);
    if (__heddle_private(thread)) { /* no thread can observe it, so it is one step, which is easier for proofs */
        __heddle_atomic_begin();
        *thread = __heddle_create(start, argument);
        if (GIVES_MASK) give_mask((u32)*thread);
        let_go_early(*thread, attributes);
        __heddle_atomic_end();
        return 0;
    }
    u32 number;
    if (GIVES_MASK) {
        __heddle_atomic_begin();
        number = __heddle_create(start, argument);
        give_mask(number);
        __heddle_atomic_end();
    } else number = __heddle_create(start, argument);
    let_go_early(number, attributes);
    *thread = number;
    return 0;
}

MODEL int pthread_join(Thread thread, void **result) {
    void *value = __heddle_join((u32)thread);
    if (USES_NUMBERS) note_joined(thread);
    if (result != NULL) *result = value;
    return 0;
}

/* Variant where a thread may join itself; it may wait for ever or get an error. */
MODEL int join_again(Thread thread, void **result) __asm__("__heddle_again_pthread_join");
MODEL int join_again(Thread thread, void **result) {
    /* Compares numbers: joining a thread that was joined before is undefined */
    if (__heddle_lives())
        if ((u32)thread == __heddle_self()) __heddle_misuse(SELF);
    if ((u32)thread == __heddle_self() && __heddle_choose()) return EDEADLK;
    return pthread_join(thread, result);
}

/* Variant where a thread may join one that is detached, or is detached while it waits. */
MODEL int join_once(Thread thread, void **result) __asm__("__heddle_once_pthread_join");
MODEL int join_once(Thread thread, void **result) {
    require_held(thread);
    int error = join_again(thread, result);
    if (error != 0) return error;
    take_thread(thread);
    return 0;
}

/* ---- joining by threads that may be cancelled ---- */
MODEL void note_end(void) {
    if (!NOTES_ENDS) return;
    u32 self = __heddle_self();
    __heddle_atomic_begin();
    add(ended, &ends, self);
    __heddle_atomic_end();
}
static void await_end_or_request(u32 thread) {
    __heddle_atomic_begin();
    u32 n = ends;
    _Bool over = has(ended, n, thread), asked = is_requested();
    __heddle_await(over | asked | (n > MANY));
    __heddle_atomic_end();
    if (n > MANY) __heddle_unsupported("pthread_join that may be cancelled, after more than 8 threads have ended");
    if (asked && (!over || __heddle_choose())) leave_cancelled();
}
MODEL void join_or_leave(u32 thread) {
    cancel_point();
    if (WAITS_FOR_ENDS) {
        await_end_or_request(thread);
        return;
    }
    if (!__heddle_choose()) return;
    __heddle_atomic_begin();
    _Bool asked = is_requested();
    __heddle_assume(asked);
    __heddle_atomic_end();
    leave_cancelled();
}

/* ---- the result of main, if it ends its thread and not the process ---- */
static u32 first;
static void *first_result;
MODEL void note_result(void *result) {
    if (__heddle_awaits_main() != IS_MAIN) return;
    if (result == NULL) return;
    u32 self = __heddle_self();
    __heddle_atomic_begin();
    first = self;
    first_result = result;
    __heddle_atomic_end();
}
MODEL void *await_end(u32 thread) {
    void *value = __heddle_join(thread);
    if (__heddle_awaits_main() != MAIN_LEAVES) return value;
    __heddle_atomic_begin();
    if (first == thread) value = first_result;
    __heddle_atomic_end();
    return value;
}

/* Variant where the thread may be cancelled, or may wait for main. */
MODEL int join_or_end(Thread thread, void **result) __asm__("__heddle_ending_pthread_join");
MODEL int join_or_end(Thread thread, void **result) {
    if (__heddle_joins_in_vain()) require_held(thread);
    if (__heddle_lives())
        if ((u32)thread == __heddle_self()) __heddle_misuse(SELF);
    if ((u32)thread == __heddle_self() && __heddle_choose()) return EDEADLK;
    if (__heddle_cancellable()) join_or_leave((u32)thread);
    void *value = await_end((u32)thread);
    if (USES_NUMBERS) note_joined(thread);
    if (result != NULL) *result = value;
    if (!__heddle_joins_in_vain()) return 0;
    take_thread(thread);
    return 0;
}

static int join_or(Thread thread, void **result, int otherwise) {
    if (__heddle_choose()) return __heddle_joins_in_vain() ? join_once(thread, result) : pthread_join(thread, result);
    __heddle_over("pthread_tryjoin_np or pthread_timedjoin_np may also fail when the thread has ended");
    return otherwise;
}
MODEL int pthread_tryjoin_np(Thread thread, void **result) { return join_or(thread, result, EBUSY); }
MODEL int pthread_timedjoin_np(Thread thread, void **result, const void *until) {
    (void)until;
    return join_or(thread, result, ETIMEDOUT);
}

/* A routine of pthread_once that ends its thread counts as not called: the next thread calls it, as with the C library. */
static _Thread_local u32 *once_control;
static _Thread_local u32 once_cleanups; /* handlers that were pushed before it */
MODEL void leave_once(void) {
    if (!__heddle_calls("pthread_once") && !__heddle_calls("call_once")) return;
    if (once_control == NULL) return;
    run_cleanups(once_cleanups);
    *once_control = 0;
}
MODEL _Noreturn void pthread_exit(void *result) { leave_thread(result); }
MODEL int pthread_detach(Thread thread) {
    detach_thread(thread);
    return 0;
}
MODEL Thread pthread_self(void) { return __heddle_self(); }
MODEL int pthread_equal(Thread a, Thread b) { return ANY_LIKE(a == b); }

static void call_routine(u32 *control, void (*routine)(void)) {
    if (!__heddle_calls("pthread_exit") && !__heddle_calls("thrd_exit") && !__heddle_calls("pthread_cancel")) {
        routine();
        return;
    }
    u32 *outer = once_control;
    if (outer != NULL) __heddle_unsupported("pthread_once within pthread_once, in a program that ends threads by pthread_exit");
    once_control = control;
    once_cleanups = cleanups();
    routine();
    once_control = NULL;
}

/* True if the routine was called. The control word is 0 before the call, 1 during it, and 2 afterwards. A thread that comes during the
   call waits for its end. Reading the word empties no store buffer. */
static _Bool is_done(const u32 *control) {
    __heddle_atomic_begin();
    u32 state = *control;
    __heddle_atomic_end();
    return state == 2;
}
MODEL int pthread_once(u32 *control, void (*routine)(void)) {
    if (__heddle_buffered())
        if (is_done(control)) return 0;
    __heddle_atomic_begin();
    u32 state = *control;
    __heddle_await(state != 1);
    if (state != 0) {
        __heddle_atomic_end();
        return 0;
    }
    *control = 1;
    __heddle_atomic_end();
    call_routine(control, routine);
    __heddle_atomic_begin();
    *control = 2;
    __heddle_atomic_end();
    return 0;
}

MODEL int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    MAY_RETURN(ENOMEM);
    (void)prepare, (void)parent, (void)child; /* fork is not modelled, so there is no verdict for programs that reach it */
    return 0;
}
