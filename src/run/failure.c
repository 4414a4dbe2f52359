/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of the program: failing assertions, aborts, crashes and exit. */
#include "run/failure.h"
#include "run/scheduler.h"
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

EXPORTED void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
    if (scheduler_on) scheduler_end(OUTCOME_ASSERTION, CALLER, "%s:%u %s: %s", file, line, function, what);
    REAL(__assert_fail)(what, file, line, function);
    __builtin_unreachable();
}

EXPORTED void abort(void) {
    if (scheduler_on) scheduler_end(OUTCOME_ABORT, CALLER, "the program calls abort");
    REAL(abort)();
    __builtin_unreachable();
}

EXPORTED void exit(int code) {
    if (scheduler_enter()) {
        scheduler_event(&(Event){.kind = EVENT_EXIT, .pc = CALLER}, true);
        shared->ended = true;
        shared->end.outcome = OUTCOME_GOOD;
        scheduler_stop();
        scheduler_leave();
    }
    REAL(exit)(code);
    __builtin_unreachable();
}

static void crash(int signal_, siginfo_t *info, void *context) {
    scheduler_stop(); /* what follows is no part of the program */
    Outcome outcome = signal_ == SIGFPE ? OUTCOME_DIVISION : signal_ == SIGABRT || signal_ == SIGILL ? OUTCOME_ABORT : OUTCOME_CRASH;
    const ucontext_t *c = context;
#ifdef __x86_64__
    Address pc = (Address)c->uc_mcontext.gregs[REG_RIP] + 1; /* as a return address: after the instruction's first byte */
#else
    Address pc = (Address)c->uc_mcontext.gregs[REG_EIP] + 1;
#endif
    Finding f = {.outcome = outcome, .pc = pc, .address = (Address)info->si_addr, .thread = self ? self->id : 0, .event = shared->events};
    strcpy(f.text, strsignal(signal_));
    scheduler_end_with(&f);
}

void failure_start(void) {
    enum { STACK = 1 << 16 };
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t s = {.ss_sp = base_memory(STACK), .ss_size = STACK}; /* a crash may be that the stack is full */
    sigaltstack(&s, NULL);
    struct sigaction a = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &a, NULL);
}
