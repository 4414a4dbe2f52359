/* SPDX-License-Identifier: Apache-2.0 */
/* Models the end of the process. Calls that reach beyond the threads of one process, or beyond calls and returns, are not modelled, nor
   are those that change what the models rely on. The front end itself knows exit, abort, assertions and the names of verification tasks. */
#include "heddle.h"

MODEL int fork(void) { __heddle_unsupported("fork"); }
MODEL int vfork(void) { __heddle_unsupported("vfork"); }
MODEL int daemon(int stay, int keep) {
    (void)stay, (void)keep;
    __heddle_unsupported("daemon");
}
MODEL int clone(void *start, void *stack, int flags, void *argument, ...) {
    (void)start, (void)stack, (void)flags, (void)argument;
    __heddle_unsupported("clone");
}
/* Modelled system calls return information and change nothing. */
enum { GETPID_32 = 20, YIELD_32 = 158, GETTID_32 = 224, YIELD = 24, GETPID = 39, GETTID = 186 };
int getpid(void), gettid(void);
MODEL long syscall(long number, ...) {
    _Bool wide = sizeof(long) == 8;
    if (number == (wide ? GETPID : GETPID_32)) return getpid();
    if (number == (wide ? GETTID : GETTID_32)) return gettid();
    if (number == (wide ? YIELD : YIELD_32)) return 0;
    __heddle_unsupported("syscall");
}
/* The name of a thread changes nothing. */
enum { PR_SET_NAME = 15 };
MODEL int prctl(int option, ...) {
    if (option == PR_SET_NAME) return 0;
    __heddle_unsupported("prctl");
}
MODEL int system(const char *command) {
    (void)command;
    __heddle_unsupported("system");
}
MODEL char *setlocale(int category, const char *name) {
    (void)category, (void)name;
    __heddle_unsupported("setlocale");
}
MODEL int fesetround(int mode) {
    if (mode == 0) return 0; /* to nearest, the mode that is always used */
    __heddle_unsupported("fesetround");
}

/* ---- jumps: setjmp returns once, like any function, as longjmp is not modelled ---- */
#define JUMP __attribute__((returns_twice))
MODEL JUMP int setjmp(void *buffer) {
    (void)buffer;
    return 0;
}
MODEL JUMP int _setjmp(void *buffer) {
    (void)buffer;
    return 0;
}
MODEL JUMP int __sigsetjmp(void *buffer, int save) {
    (void)buffer, (void)save;
    return 0;
}
MODEL _Noreturn void longjmp(void *buffer, int value) {
    (void)buffer, (void)value;
    __heddle_unsupported("longjmp");
}
MODEL _Noreturn void _longjmp(void *buffer, int value) {
    (void)buffer, (void)value;
    __heddle_unsupported("longjmp");
}
MODEL _Noreturn void siglongjmp(void *buffer, int value) {
    (void)buffer, (void)value;
    __heddle_unsupported("siglongjmp");
}

/* ---- the end: the front end calls these when the process ends, if functions can be registered for it ---- */
enum { ROUTINES = 32 };
typedef void (*Routine)(void);
typedef struct Routines {
    Routine routine[ROUTINES];
    u32 count;
} Routines;
static Routines usual, quick;

static int add(Routines *r, Routine routine) {
    MAY_RETURN(-1);
    __heddle_atomic_begin();
    u32 n = r->count;
    if (n == ROUTINES) __heddle_unsupported("more than 32 functions for the end of the process");
    r->routine[n] = routine;
    r->count = n + 1;
    __heddle_atomic_end();
    return 0;
}
static void run(Routines *r) {
    for (;;) {
        __heddle_atomic_begin();
        u32 n = r->count;
        Routine routine = NULL;
        if (n != 0) {
            routine = r->routine[n - 1];
            r->count = n - 1;
        }
        __heddle_atomic_end();
        if (n == 0) return;
        routine();
    }
}
MODEL int atexit(Routine routine) { return add(&usual, routine); }
MODEL int at_quick_exit(Routine routine) { return add(&quick, routine); }
MODEL void __heddle_at_exit(void) { run(&usual); }
MODEL void __heddle_at_quick_exit(void) { run(&quick); }
