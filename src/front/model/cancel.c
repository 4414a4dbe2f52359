/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that end before their function returns: what they clean up. A handler is pushed by __heddle_push_cleanup, which the front end
   finds in the macros pthread_cleanup_push and pop; when the thread ends by pthread_exit, those that are left run, the last one first. */
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

static _Bool pushes(void) { return __heddle_calls("__heddle_push_cleanup") || __heddle_calls("_pthread_cleanup_push"); }

MODEL u32 cleanups(void) { return pushes() ? pushed : 0; }
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
    if (!pushes()) return;
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
    __heddle_exit_thread(result);
}

/* What the macros are made of where the front end does not recognise them, beside sigsetjmp, which returns no second time. */
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
/* … and in other libraries. */
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
static _Thread_local int cancel_state, cancel_type;

static int set_cancel(int *word, int value, int *old) {
    if (value != 0 && value != 1) return EINVAL;
    if (old != NULL) *old = *word;
    *word = value;
    return 0;
}
MODEL int pthread_cancel(Thread thread) {
    (void)thread;
    __heddle_unsupported("pthread_cancel");
}
MODEL int pthread_setcancelstate(int state, int *old) { return set_cancel(&cancel_state, state, old); }
MODEL int pthread_setcanceltype(int type, int *old) { return set_cancel(&cancel_type, type, old); }
MODEL void pthread_testcancel(void) {}
