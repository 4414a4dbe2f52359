/* SPDX-License-Identifier: Apache-2.0 */
/* The token is a number: the thread that has it, with BUSY while that thread is in the runtime. The watchdog (watchdog.c) may take the
   token away, but only while the thread executes code of the program or a system call. A lock protects the choice against the watchdog. */
#include "run/scheduler.h"
#include "run/cancel.h"
#include "run/descriptors.h"
#include "run/limits.h"
#include "run/random.h"
#include "run/schedule.h"
#include "run/history.h"
#include "run/strategy.h"
#include "run/trace.h"
#include "run/vtime.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUSY = 0x10000, IDLE = -1, TAKEN = -2 };
static int token = IDLE, choosing;
static int leaving; /* the thread that has ended and still executes code of the C library */
bool scheduler_on;

/* ---- the end ---- */

void scheduler_end_with(const Finding *f) {
    if (self) history_complete();
    scheduler_on = false;
    shared->end = *f;
    shared->ended = true;
    _exit(99);
}

void scheduler_end(Outcome outcome, Address pc, const char *format, ...) {
    Finding f = {.outcome = outcome, .thread = self ? self->id : 0, .pc = pc, .event = shared->events};
    va_list list;
    va_start(list, format);
    vsnprintf(f.text, sizeof f.text, format, list);
    va_end(list);
    scheduler_end_with(&f);
}

/* Ends the run, in which no thread can go on. Lists what each waits for. */
static _Noreturn void end_stuck(Outcome outcome) {
    Finding f = {.outcome = outcome, .thread = self->id, .pc = self->event.pc, .event = shared->events};
    size_t used = 0;
    for (unsigned i = 0; i < nthreads && used < sizeof f.text; i++) {
        const Thread *t = threads[i];
        if (t->state == THREAD_DEAD) continue;
        int n = snprintf(f.text + used, sizeof f.text - used, "%u %s %lx %lx\n", i, event_word(t->event.kind),
                         (unsigned long)(t->event.object ? t->event.object->address : 0), (unsigned long)t->event.pc);
        used += n > 0 ? (size_t)n : 0;
    }
    scheduler_end_with(&f);
}

/* ---- passing the token ---- */

static void lock_choice(void) {
    while (__atomic_exchange_n(&choosing, 1, __ATOMIC_ACQUIRE)) syscall(SYS_sched_yield);
}
static void unlock_choice(void) { __atomic_store_n(&choosing, 0, __ATOMIC_RELEASE); }

static void wake(Thread *t) {
    __atomic_store_n(&t->turn, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &t->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Waits until an ended thread has left the C library, where it would run beside this one. */
static void let_leave(void) {
    if (!leaving) return;
    while (!syscall(SYS_tgkill, getpid(), leaving, 0)) syscall(SYS_sched_yield);
    leaving = 0;
}

static void await_turn(void) {
    while (!__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE)) syscall(SYS_futex, &self->turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    self->turn = 0;
    __atomic_store_n(&token, (int)self->id | BUSY, __ATOMIC_SEQ_CST);
    let_leave();
}

/* NULL: no thread can go on until one returns from a system call. */
static void pass_to(Thread *t) {
    if (!t) {
        __atomic_store_n(&token, IDLE, __ATOMIC_SEQ_CST);
        return;
    }
    shared->switches++;
    wake(t);
}

bool scheduler_enter(void) {
    if (!scheduler_on || !self || self->inside) return false;
    self->inside = true;
    int mine = (int)self->id;
    if (__atomic_compare_exchange_n(&token, &mine, mine | BUSY, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return true;
    lock_choice(); /* the watchdog has taken the token away */
    self->state = THREAD_LIVE;
    self->event = (Event){.kind = EVENT_YIELD};
    bool idle = token == IDLE;
    if (idle) token = (int)self->id | BUSY;
    unlock_choice();
    if (!idle) await_turn();
    return true;
}

void scheduler_leave(void) {
    self->inside = false;
    __atomic_store_n(&token, (int)self->id, __ATOMIC_RELEASE);
}

/* ---- choices ---- */

static void expire(Thread *t) {
    t->timed_out = true;
    vtime_reach(t->event.deadline);
    schedule_record(DECISION_TIMEOUT, t->id);
}

typedef struct Choices {
    Thread *enabled[MOST_THREADS];
    unsigned n, timed, outside, away; /* enabled threads; waits that may expire; waits for descriptors; threads in system calls */
} Choices;

static void gather(Choices *c) {
    c->n = c->timed = c->outside = c->away = 0;
    for (unsigned i = 0; i < nthreads; i++) {
        Thread *t = threads[i];
        c->away += t->state == THREAD_AWAY;
        if (t->state != THREAD_LIVE) continue;
        if (event_enabled(t)) {
            c->enabled[c->n++] = t;
            continue;
        }
        c->timed += t->event.timed;
        c->outside += t->event.kind == EVENT_DESCRIPTOR;
    }
}

/* Ends a wait without a reason in the program: a time-out, or a spurious wake-up. */
static void end_a_wait(Choices *c) {
    unsigned id;
    if (schedule_follows()) {
        while (schedule_take(DECISION_TIMEOUT, &id))
            if (id < nthreads && threads[id]->event.timed) expire(threads[id]);
        while (schedule_take(DECISION_SPURIOUS, &id))
            if (id < nthreads && threads[id]->event.kind == EVENT_WAIT) {
                threads[id]->signalled = true;
                schedule_record(DECISION_SPURIOUS, id);
            }
        gather(c);
        return;
    }
    if (!c->n || random_below(limits.wait_ends)) return;
    Thread *t = threads[random_below(nthreads)];
    if (t->state != THREAD_LIVE || event_enabled(t)) return;
    if (t->event.timed && t->event.kind != EVENT_DESCRIPTOR) expire(t);
    else if (t->event.kind == EVENT_WAIT && limits.spurious) {
        t->signalled = true;
        schedule_record(DECISION_SPURIOUS, t->id);
    } else return;
    c->enabled[c->n++] = t;
}

/* Nothing is enabled: lets time pass. Returns false if that helps no thread. */
static bool wait_for_something(Choices *c) {
    for (unsigned rounds = 0; !c->n && c->outside && rounds < limits.patience; rounds++) {
        descriptors_sleep();
        gather(c);
        if (c->timed) break;
    }
    if (c->n || !c->timed) return c->n;
    Thread *first = NULL;
    for (unsigned i = 0; i < nthreads; i++) {
        Thread *t = threads[i];
        if (t->state == THREAD_LIVE && t->event.timed && (!first || t->event.deadline < first->event.deadline)) first = t;
    }
    if (first) expire(first);
    gather(c);
    return true;
}

/* Switches threads rarely, so that a very long run ends. */
static Thread *choose_fairly(const Choices *c) {
    enum { RARELY = 16 };
    for (unsigned i = 0; i < c->n; i++)
        if (c->enabled[i] == self && self->event.kind != EVENT_YIELD && random_below(RARELY)) return self;
    return c->enabled[random_below(c->n)];
}

/* Chooses the thread that goes on. Returns NULL if no thread can, until one returns from a system call. */
static Thread *choose(void) {
    static Choices c;
    shared->points++;
    gather(&c);
    if (c.timed || schedule_follows() || limits.spurious) end_a_wait(&c);
    if (!c.n && !wait_for_something(&c)) {
        if (c.away) return NULL;
        end_stuck(c.outside ? OUTCOME_OUTSIDE : OUTCOME_DEADLOCK);
    }
    if (shared->events > limits.events) end_stuck(OUTCOME_ENDLESS);
    Thread *t = schedule_follows()                 ? schedule_choose(c.enabled, c.n)
                : shared->points > limits.long_run ? choose_fairly(&c)
                                                   : strategy->choose(c.enabled, c.n);
    if (t != schedule_default(c.enabled, c.n)) schedule_record(DECISION_SWITCH, t->id);
    return t;
}

unsigned scheduler_pick(unsigned n) {
    unsigned chosen = 0;
    if (schedule_follows()) schedule_take(DECISION_PICK, &chosen);
    else chosen = random_below(n);
    if (chosen >= n) chosen = 0;
    if (chosen) schedule_record(DECISION_PICK, chosen);
    return chosen;
}

static Thread *choose_locked(void) {
    lock_choice();
    Thread *t = choose();
    unlock_choice();
    return t;
}

/* Returns after other threads ran, and this thread's turn has come. */
static void give_way(void) {
    if (self->sections && event_enabled(self)) return;
    Thread *t = choose_locked();
    if (t == self) return;
    self->spins = self->repeated = self->since_switch = 0;
    pass_to(t);
    await_turn();
}

static void point(const Event *e) {
    self->event = *e;
    self->timed_out = false;
    if (strategy->arrived) strategy->arrived(self);
    if (nlive > 1 || !event_enabled(self) || schedule_is_due()) give_way();
    if (strategy->happened) strategy->happened(self);
}

void scheduler_count(void) {
    history_complete();
    if (shared->events++ > limits.events) end_stuck(OUTCOME_ENDLESS);
    self->steps++;
}

void scheduler_event(const Event *e, bool is_point) {
    history_complete();
    if (shared->events++ > limits.events) end_stuck(OUTCOME_ENDLESS);
    if (is_point || schedule_is_due()) point(e);
    self->steps++;
    trace_add(e);
    bool acts = e->cancels ? e->kind != EVENT_WAIT : self->async_cancel; /* a wait takes its mutex again first */
    if (self->cancelled && !self->no_cancel && acts) cancel_act();
}

/* ---- threads ---- */

void scheduler_begin_thread(void) {
    self->inside = true;
    await_turn();
}

void scheduler_exit(void) {
    if (self->tid != getpid()) leaving = self->tid;
    pass_to(choose_locked());
}

/* Returns whether the kernel reports that the thread sleeps, and is not about to run. */
static bool sleeps(const Thread *t) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", t->tid);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    long n = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);
    if (fd >= 0) syscall(SYS_close, fd);
    text[n > 0 ? n : 0] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] && name_end[2] == 'S';
}

void scheduler_take_from_sleeper(void) {
    int holder = __atomic_load_n(&token, __ATOMIC_SEQ_CST);
    if (holder < 0 || holder & BUSY || !sleeps(threads[holder])) return;
    lock_choice();
    if (__atomic_compare_exchange_n(&token, &holder, TAKEN, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        self = threads[holder];
        self->state = THREAD_AWAY;
        pass_to(choose());
        self = NULL;
    }
    unlock_choice();
}

void scheduler_start(void) {
    self = thread_new();
    self->tid = getpid();
    self->handle = pthread_self();
    self->state = THREAD_LIVE;
    token = 0;
    scheduler_on = true;
}

void scheduler_stop(void) { scheduler_on = false; }
