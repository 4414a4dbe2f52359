/* SPDX-License-Identifier: Apache-2.0 */
/* Models threads that end before their function returns: cleanup handlers and cancellation. The front end finds the macros
   pthread_cleanup_push and pthread_cleanup_pop and calls __heddle_push_cleanup and __heddle_pop_cleanup. At pthread_exit the remaining
   handlers run, the last one first. */
#include "heddle.h"

enum { EINVAL = 22, HANDLERS = 8 };
typedef unsigned long Thread;
typedef void (*Routine)(void *);

/* ---- cleanup handlers ---- */

typedef struct Cleanup {
    Routine routine;
    void *argument;
} Cleanup;
static _Thread_local Cleanup stack[HANDLERS];
static _Thread_local u32 pushed, unknown;

/* As a condition, it is known when the program is translated. */
#define PUSHES (__heddle_calls("__heddle_push_cleanup") || __heddle_calls("_pthread_cleanup_push"))

MODEL u32 cleanups(void) {
    if (PUSHES) return pushed;
    return 0;
}
MODEL void push(Routine routine, void *argument) __asm__("__heddle_push_cleanup");
MODEL void push(Routine routine, void *argument) {
    u32 n = pushed;
    if (n == HANDLERS) __heddle_unsupported("more than 8 cleanup handlers of a thread");
    stack[n].routine = routine;
    stack[n].argument = argument;
    pushed = n + 1;
}
MODEL void pop(void) __asm__("__heddle_pop_cleanup");
MODEL void pop(void) { pushed--; }

MODEL void run_cleanups(u32 until) {
    if (PUSHES)
        while (pushed > until) {
            u32 n = pushed - 1;
            pushed = n;
            stack[n].routine(stack[n].argument);
        }
}
MODEL _Noreturn void leave_thread(void *result) {
    if (__heddle_calls("__pthread_register_cancel") && unknown != 0)
        __heddle_unsupported("a thread ends between pthread_cleanup_push and pthread_cleanup_pop, of a form that is not recognised");
    leave_once();
    run_cleanups(0);
    note_result(result);
    __heddle_exit_thread(result);
}

/* Functions in the macros where the front end does not recognise them. sigsetjmp, which they call too, returns only once. */
MODEL void __pthread_register_cancel(void *buffer) {
    (void)buffer;
    unknown++;
}
MODEL void __pthread_unregister_cancel(void *buffer) {
    (void)buffer;
    unknown--;
}
MODEL _Noreturn void __pthread_unwind_next(void *buffer) {
    (void)buffer;
    __heddle_unsupported("pthread_cleanup_push");
}
/* Functions that the macros of other C libraries call. */
MODEL void _pthread_cleanup_push(void *buffer, Routine routine, void *argument) {
    (void)buffer;
    push(routine, argument);
}
MODEL void _pthread_cleanup_pop(void *buffer, int execute) {
    (void)buffer;
    u32 n = pushed - 1;
    pushed = n;
    if (execute) stack[n].routine(stack[n].argument);
}

/* ---- cancellation ---- */

enum { REQUESTS = 8 };
#define CANCELED ((void *)-1)
static u32 requested[REQUESTS]; /* numbers of threads that were asked to end, and may have done so */
static u32 requests;
static _Thread_local int cancel_state, cancel_type; /* 0: enabled, and deferred */

/* Works in one step and without branches, as threads may wait for it. */
static _Bool is_listed(u32 number) {
    __heddle_atomic_begin();
    u32 n = requests;
    _Bool early = ((n > 0) & (requested[0] == number)) | ((n > 1) & (requested[1] == number)) | ((n > 2) & (requested[2] == number)) |
                  ((n > 3) & (requested[3] == number));
    _Bool late = ((n > 4) & (requested[4] == number)) | ((n > 5) & (requested[5] == number)) | ((n > 6) & (requested[6] == number)) |
                 ((n > 7) & (requested[7] == number));
    __heddle_atomic_end();
    return early | late;
}
MODEL _Bool is_requested(void) {
    _Bool listed = is_listed(__heddle_self());
    return listed & (cancel_state == 0);
}
/* True if the thread is asked to end before a call. A request orders nothing: where order matters, the end of a thread must not show
   that another thread asked for it before. */
MODEL _Bool asked_to_end(void) {
    if (!__heddle_cancellable() || cancel_state != 0) return 0;
    if (is_requested()) return 1;
    if (!__heddle_order() && !__heddle_c11()) return 0;
    if (!__heddle_choose()) return 0;
    __heddle_over("a thread is cancelled before it is asked to end, since a request orders nothing");
    return 1;
}
MODEL _Noreturn void leave_cancelled(void) {
    cancel_state = 1;
    leave_thread(CANCELED);
}

/* The front end calls these before functions that are cancellation points and do not wait for other threads, before functions that may
   be cancellation points, and before unknown functions. A request during such a function has the same effect as one before it. */
MODEL void cancel_point(void) __asm__("__heddle_cancel_point");
MODEL void cancel_maybe(void) __asm__("__heddle_cancel_maybe");
MODEL void cancel_unknown(void) __asm__("__heddle_cancel_unknown");
MODEL void cancel_point(void) {
    if (asked_to_end()) leave_cancelled();
}
MODEL void cancel_maybe(void) {
    if (asked_to_end() && __heddle_choose()) leave_cancelled();
}
MODEL void cancel_unknown(void) {
    if (!asked_to_end() || __heddle_choose()) return;
    __heddle_over("an unknown function is a cancellation point");
    leave_cancelled();
}
MODEL void pthread_testcancel(void) { cancel_point(); }
/* No signal comes. */
MODEL int pause(void) {
    if (!__heddle_cancellable()) __heddle_unsupported("pause");
    cancel_point();
    __heddle_atomic_begin();
    _Bool ends = is_requested();
    __heddle_await(ends);
    __heddle_atomic_end();
    leave_cancelled();
}

MODEL void cancel_by_pointer(void) __asm__("__heddle_cancel_by_pointer");
MODEL void cancel_by_pointer(void) {
    __heddle_unsupported("pthread_cancel, in a program with a pointer to a library function that is a cancellation point");
}
/* Asking a thread that has ended is allowed, unless it was detached or joined. */
MODEL int pthread_cancel(Thread thread) {
    if (__heddle_lives()) require_life(thread);
    u32 number = (u32)thread;
    __heddle_atomic_begin();
    _Bool known = is_listed(number);
    u32 n = requests;
    if (!known) {
        if (n == REQUESTS) __heddle_unsupported("more than 8 threads are asked to end (pthread_cancel)");
        requested[n] = number;
        requests = n + 1;
    }
    __heddle_atomic_end();
    return 0;
}

static int set_cancel(int *word, int value, int *old) {
    if (value != 0 && value != 1) return EINVAL;
    if (old != NULL) *old = *word;
    *word = value;
    return 0;
}
MODEL int pthread_setcancelstate(int state, int *old) { return set_cancel(&cancel_state, state, old); }
MODEL int pthread_setcanceltype(int type, int *old) {
    if (type == 1 && __heddle_calls("pthread_cancel")) __heddle_unsupported("asynchronous cancellation");
    return set_cancel(&cancel_type, type, old);
}
