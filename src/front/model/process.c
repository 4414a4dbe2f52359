/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the process, assertions, and the names that verification tasks use. */
#include "heddle.h"

MODEL _Noreturn void abort(void) { __heddle_halt(); }
MODEL _Noreturn void exit(int status) { (void)status; __heddle_halt(); }
MODEL _Noreturn void _exit(int status) { (void)status; __heddle_halt(); }
MODEL _Noreturn void _Exit(int status) { (void)status; __heddle_halt(); }
MODEL _Noreturn void quick_exit(int status) { (void)status; __heddle_halt(); }
MODEL int atexit(void (*routine)(void)) { (void)routine; __heddle_unsupported("atexit"); }
MODEL int at_quick_exit(void (*routine)(void)) { (void)routine; __heddle_unsupported("at_quick_exit"); }

MODEL _Noreturn void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    __heddle_error("assertion violated");
}
MODEL _Noreturn void __assert(const char *text, const char *file, int line) {
    (void)text, (void)file, (void)line;
    __heddle_error("assertion violated");
}
MODEL _Noreturn void reach_error(void) { __heddle_error("call of reach_error"); }
MODEL _Noreturn void __VERIFIER_error(void) { __heddle_error("call of __VERIFIER_error"); }
MODEL void __VERIFIER_assume(int condition) { __heddle_assume(condition != 0); }
MODEL void assume_abort_if_not(int condition) { if (condition == 0) __heddle_halt(); }
MODEL void __VERIFIER_atomic_begin(void) { __heddle_atomic_begin(); }
MODEL void __VERIFIER_atomic_end(void) { __heddle_atomic_end(); }

/* ---- other processes, signals and jumps ---- */
MODEL int fork(void) { __heddle_unsupported("fork"); }
MODEL int vfork(void) { __heddle_unsupported("vfork"); }
MODEL int system(const char *command) { (void)command; __heddle_unsupported("system"); }
MODEL void *signal(int number, void *handler) { (void)number, (void)handler; __heddle_unsupported("signal"); }
MODEL int sigaction(int number, const void *action, void *old) {
    (void)number, (void)action, (void)old;
    __heddle_unsupported("sigaction");
}
MODEL int raise(int number) { (void)number; __heddle_unsupported("raise"); }
MODEL int kill(int process, int number) { (void)process, (void)number; __heddle_unsupported("kill"); }
MODEL unsigned alarm(unsigned seconds) { (void)seconds; __heddle_unsupported("alarm"); }
#define JUMP __attribute__((returns_twice))
MODEL JUMP int setjmp(void *buffer) { (void)buffer; __heddle_unsupported("setjmp"); }
MODEL JUMP int _setjmp(void *buffer) { (void)buffer; __heddle_unsupported("setjmp"); }
MODEL JUMP int __sigsetjmp(void *buffer, int save) {
    (void)buffer, (void)save;
    __heddle_unsupported("sigsetjmp or pthread_cleanup_push");
}
MODEL _Noreturn void longjmp(void *buffer, int value) { (void)buffer, (void)value; __heddle_unsupported("longjmp"); }
