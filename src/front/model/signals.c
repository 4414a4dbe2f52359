/* SPDX-License-Identifier: Apache-2.0 */
/* Models signals that the program raises itself. The handler of such a signal runs inside raise or, if the thread blocks the signal, inside
   the call that unblocks it. No signal comes from outside, and sending a signal to another thread is not modelled. The process starts with
   no signal blocked. Signal sets are words of 64 bits, as in the C library, and the rest of a set is not used. */
#include "heddle.h"

enum { EINVAL = 22, SIGNALS = 65, ABORT = 6, KILL = 9, STOP = 19, CHILD = 17, CONTINUE = 18, URGENT = 23, RESIZED = 28 };
enum { INFO = 4, RESET = (int)0x80000000u, NODEFER = 0x40000000 };
enum { BLOCK, UNBLOCK, SET };
typedef void (*Handler)(int);
typedef struct Set {
    unsigned long words[64 / (8 * sizeof(long))];
    unsigned long rest[(1024 - 64) / (8 * sizeof(long))];
} Set;
typedef struct Action {
    Handler handler;
    Set mask;
    int flags;
    void (*restorer)(void);
} Action;
typedef unsigned long long Signals;
#define DEFAULT ((Handler)0)
#define IGNORE ((Handler)1)
#define FAILED ((Handler) - 1)

static int fail(void) {
    *__errno_location() = EINVAL;
    return -1;
}
static _Bool is_signal(int number) { return number > 0 && number < SIGNALS; }

/* ---- sets ---- */
static Signals mask_of(const Set *set) {
    Signals mask = set->words[0];
    if (sizeof(long) == 4) mask |= (Signals)set->words[64 / (8 * sizeof(long)) - 1] << 32;
    return mask;
}
static void set_mask(Set *set, Signals mask) {
    set->words[0] = (unsigned long)mask;
    if (sizeof(long) == 4) set->words[64 / (8 * sizeof(long)) - 1] = (unsigned long)(mask >> 32);
}
static Signals bit(int number) { return (Signals)1 << (number - 1); }
#define ALWAYS (bit(KILL) | bit(STOP)) /* cannot be blocked */
/* True if the default action of the signal is to do nothing. */
static _Bool does_nothing(int number) { return number == CHILD || number == CONTINUE || number == URGENT || number == RESIZED; }
MODEL int sigemptyset(Set *set) {
    set_mask(set, 0);
    return 0;
}
MODEL int sigfillset(Set *set) {
    set_mask(set, ~(Signals)0);
    return 0;
}
MODEL int sigaddset(Set *set, int number) {
    if (!is_signal(number)) return fail();
    set_mask(set, mask_of(set) | bit(number));
    return 0;
}
MODEL int sigdelset(Set *set, int number) {
    if (!is_signal(number)) return fail();
    set_mask(set, mask_of(set) & ~bit(number));
    return 0;
}
MODEL int sigismember(const Set *set, int number) {
    if (!is_signal(number)) return fail();
    return (mask_of(set) & bit(number)) != 0;
}

/* ---- which are blocked ---- */
/* A new thread blocks what its maker blocks, and has no pending signals. The list has the threads that blocked signals at their start. */
enum { MOST_GIVEN = 8 };
static u32 takers[MOST_GIVEN], gifts;
static Signals given[MOST_GIVEN];
static _Thread_local _Bool begun;
static _Thread_local Signals blocked, pending;
#define MAKES_THREADS (__heddle_calls("pthread_create") || __heddle_calls("thrd_create"))
static void begin(void) {
    if (!MAKES_THREADS || begun) return;
    begun = 1;
    u32 self = __heddle_self();
    __heddle_atomic_begin();
    u32 n = gifts;
    for (u32 i = 0; i < MOST_GIVEN && i < n; i++)
        if (takers[i] == self) blocked = given[i];
    __heddle_atomic_end();
}
MODEL void give_mask(u32 thread) {
    begin();
    if (blocked == 0) return;
    u32 n = gifts;
    if (n == MOST_GIVEN) __heddle_unsupported("more than 8 threads whose makers block signals");
    takers[n] = thread;
    given[n] = blocked;
    gifts = n + 1;
}

/* ---- handlers ---- */
static Handler handlers[SIGNALS];
static int flags[SIGNALS];
static Signals masks[SIGNALS];

/* A signal that is ignored is not pending any more. */
static void forget_pending(int number) {
    if (!__heddle_calls("raise") || !BLOCKS_SIGNALS) return;
    pending &= ~bit(number);
    if (MAKES_THREADS) __heddle_over("a signal that is ignored is not pending in other threads any more");
}
static void install(int number, Handler handler, int flag, Signals mask) {
    if (number == ABORT && handler != DEFAULT) __heddle_unsupported("a handler for SIGABRT, which abort calls");
    __heddle_atomic_begin();
    handlers[number] = handler;
    flags[number] = flag;
    masks[number] = mask;
    __heddle_atomic_end();
    if (handler == IGNORE || (handler == DEFAULT && does_nothing(number))) forget_pending(number);
}
static _Bool can_handle(int number) { return is_signal(number) && number != KILL && number != STOP; }

MODEL Handler signal(int number, Handler handler) {
    if (!can_handle(number)) {
        fail();
        return FAILED;
    }
    Handler old = handlers[number];
    install(number, handler, 0, 0);
    return old;
}
MODEL int sigaction(int number, const Action *action, Action *old) {
    if (!can_handle(number) && (action != NULL || !is_signal(number))) return fail();
    if (old != NULL) {
        old->handler = handlers[number];
        old->flags = flags[number];
        set_mask(&old->mask, masks[number]);
    }
    if (action != NULL) install(number, action->handler, action->flags, mask_of(&action->mask));
    return 0;
}

/* Executes the default action of a signal: nothing, or the end of the process. */
static int act(int number) {
    if (does_nothing(number)) return 0;
    if (number >= STOP && number < URGENT) __heddle_unsupported("a signal that stops the process");
    __heddle_halt();
}
static Handler handler_of(int number) {
    __heddle_atomic_begin();
    Handler handler = handlers[number];
    __heddle_atomic_end();
    return handler;
}
static int deliver(int number, Handler handler) {
    __heddle_atomic_begin();
    int flag = flags[number];
    Signals mask = masks[number];
    __heddle_atomic_end();
    if (handler == IGNORE) return 0;
    if (handler == DEFAULT) return act(number);
    if (flag & (INFO | RESET)) __heddle_unsupported("a handler of a signal that gets more than its number, or is for one time only");
    Signals before = blocked;
    blocked = before | (mask & ~ALWAYS) | (flag & NODEFER ? 0 : bit(number));
    handler(number);
    blocked = before;
    return 0;
}
/* Delivers the signal that is pending and not blocked any more. */
static void deliver_pending(void) {
    if (!__heddle_calls("raise")) return;
    for (;;) {
        Signals ready = pending & ~blocked;
        if (ready == 0) return;
        if (ready & (ready - 1)) __heddle_unsupported("several pending signals that one call unblocks: their order is open");
        pending &= ~ready;
        int number = 1 + __builtin_ctzll(ready);
        deliver(number, handler_of(number));
    }
}
MODEL int raise(int number) {
    if (number == 0) return 0;
    if (!is_signal(number)) return fail();
    begin();
    Handler handler = handler_of(number);
    if (blocked & bit(number)) {
        if (handler == IGNORE && __heddle_choose()) return 0; /* whether it stays pending is open */
        if (pending & bit(number)) __heddle_unsupported("raise of a signal that is pending: how often it comes is open");
        pending |= bit(number);
        return 0;
    }
    deliver(number, handler);
    deliver_pending(); /* what came while the handler blocked it */
    return 0;
}
MODEL int sigpending(Set *set) {
    set_mask(set, pending);
    return 0;
}

static int change(int how, const Set *set, Set *old) {
    if (set != NULL && (how < BLOCK || how > SET)) return EINVAL;
    begin();
    Signals before = blocked;
    Signals mask = set != NULL ? mask_of(set) & ~ALWAYS : 0;
    if (old != NULL) set_mask(old, before);
    if (set == NULL) return 0;
    blocked = how == BLOCK ? before | mask : how == UNBLOCK ? before & ~mask : mask;
    deliver_pending();
    return 0;
}
MODEL int pthread_sigmask(int how, const Set *set, Set *old) { return change(how, set, old); }
MODEL int sigprocmask(int how, const Set *set, Set *old) { return change(how, set, old) == 0 ? 0 : fail(); }

/* ---- not modelled ---- */
MODEL int kill(int process, int number) {
    (void)process;
    if (number == 0) __heddle_over("kill with no signal reports whether a process exists");
    else __heddle_unsupported("kill");
    return __heddle_choose() ? 0 : -1;
}
MODEL int pthread_kill(unsigned long thread, int number) {
    if (__heddle_lives()) require_life(thread);
    if (!is_signal(number) && number != 0) return EINVAL;
    if (number != 0) __heddle_unsupported("pthread_kill");
    return 0;
}
MODEL unsigned alarm(unsigned seconds) {
    (void)seconds;
    __heddle_unsupported("alarm");
}
MODEL unsigned ualarm(unsigned first, unsigned every) {
    (void)first, (void)every;
    __heddle_unsupported("ualarm");
}
MODEL int setitimer(int which, const void *timer, void *old) {
    (void)which, (void)timer, (void)old;
    __heddle_unsupported("setitimer");
}
MODEL int timer_create(int clock, void *event, void *timer) {
    (void)clock, (void)event, (void)timer;
    __heddle_unsupported("timer_create");
}
MODEL int sigsuspend(const void *set) {
    (void)set;
    __heddle_unsupported("sigsuspend");
}
MODEL int sigwait(const void *set, int *number) {
    (void)set, (void)number;
    __heddle_unsupported("sigwait");
}
MODEL int sigqueue(int process, int number, long value) {
    (void)process, (void)number, (void)value;
    __heddle_unsupported("sigqueue");
}
MODEL int sigaltstack(const void *stack, void *old) {
    (void)stack, (void)old;
    __heddle_unsupported("sigaltstack");
}
