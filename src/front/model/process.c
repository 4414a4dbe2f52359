/* SPDX-License-Identifier: Apache-2.0 */
/* What reaches beyond the threads of one process, and beyond calls and returns, or changes what the models rely on. None of it is modelled.
   (exit, abort, assertions and the names that verification tasks use are known to the front end.) */
#include "heddle.h"

MODEL int atexit(void (*routine)(void)) { (void)routine; __heddle_unsupported("atexit"); }
MODEL int at_quick_exit(void (*routine)(void)) { (void)routine; __heddle_unsupported("at_quick_exit"); }
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
MODEL char *setlocale(int category, const char *name) { (void)category, (void)name; __heddle_unsupported("setlocale"); }
MODEL int fesetround(int mode) {
    if (mode == 0) return 0; /* to nearest, as everywhere */
    __heddle_unsupported("fesetround");
}
#define JUMP __attribute__((returns_twice))
MODEL JUMP int setjmp(void *buffer) { (void)buffer; __heddle_unsupported("setjmp"); }
MODEL JUMP int _setjmp(void *buffer) { (void)buffer; __heddle_unsupported("setjmp"); }
MODEL JUMP int __sigsetjmp(void *buffer, int save) {
    (void)buffer, (void)save;
    __heddle_unsupported("sigsetjmp or pthread_cleanup_push");
}
MODEL _Noreturn void longjmp(void *buffer, int value) { (void)buffer, (void)value; __heddle_unsupported("longjmp"); }
