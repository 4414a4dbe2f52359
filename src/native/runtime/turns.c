/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program so that it takes the steps of a trace, in their order.

   One thread runs at a time: it has the token, and takes turns (native.h) until the next turn is another thread's. Then it stops before
   its own next turn. A thread that has no more turns stays where it is, or runs to its end when it is joined. Locks, joins and waits
   never block: if the trace is right, they can proceed. The thread with the token alone decides, so every run is the same.

   If the run differs from the trace (a thread does not reach its turn, a value differs), it has diverged: exit code EXIT_DIVERGED. A run
   like the trace ends with SIGABRT, or the signal of the fault itself. */
#include "runtime.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const HeddleSchedule *const schedule = &heddle_schedule;
Thread *threads[MOST_THREADS];
unsigned nthreads, now, rounds, *following;
bool quiet, points;
_Thread_local Thread *self;
_Thread_local uint64_t context;
_Thread_local unsigned origin, sections;

/* ---- ends ---- */

unsigned step_now(void) { return now < schedule->nturns ? schedule->turns[now].step : schedule->steps; }

void say(const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0) (void)!write(STDERR_FILENO, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

__attribute__((noinline)) void heddle_end(const char *what) { __asm__ volatile("" ::"r"(what) : "memory"); } /* for a breakpoint */
__attribute__((noinline)) void heddle_step(const char *counterexample, const char *function) {
    __asm__ volatile("" ::"r"(counterexample), "r"(function) : "memory");
}

void report_end(void) {
    const char *where = schedule->where;
    say("heddle: %s%s%s, as in the trace, after %u steps\n", schedule->what, *where ? " at " : "", where, schedule->steps);
    heddle_end(schedule->what);
}

_Noreturn void end_as_in_trace(void) {
    report_end();
    signal(SIGABRT, SIG_DFL);
    abort();
}

/* ---- the token ---- */

void sleep_until_called(void) {
    while (sem_wait(&self->go)) continue;
}

void call(unsigned number) {
    Thread *t = number <= nthreads ? threads[number] : NULL;
    if (!t || t->ended || t->stopped) DIVERGED("thread %u cannot continue%s", number, !t ? "" : t->ended ? ": it has ended" : "");
    sem_post(&t->go);
}

static bool settled(void) { return now == schedule->nturns && schedule->end == END_DEADLOCK; }

static bool waits(unsigned number) { return number <= schedule->threads && schedule->fates[number] == FATE_WAITS; }
bool ends(unsigned number) { return number <= schedule->threads && schedule->fates[number] == FATE_ENDS; }

/* After the last step of a deadlock, lets each waiting thread run to where it waits. */
static void call_next_waiter(void) {
    unsigned waiting = 0;
    for (unsigned i = 1; i <= nthreads; i++) {
        waiting += threads[i]->blocked;
        if (!waits(i) || threads[i]->blocked || threads[i] == self) continue;
        call(i);
        return;
    }
    if (waiting) end_as_in_trace();
    DIVERGED("no thread waits");
}

void pass_on(void) {
    if (now < schedule->nturns) call(schedule->turns[now].thread);
    else if (schedule->thread) call(schedule->thread);
    else if (schedule->end == END_DEADLOCK) call_next_waiter();
    else DIVERGED("no thread can continue");
}

_Noreturn void stop(void) {
    self->stopped = true;
    pass_on();
    for (;;) pause();
}

/* Stops a thread without turns. In a deadlock, it continues after all turns, to where it waits. */
void park(void) {
    while (waits(self->number) && !settled()) {
        pass_on();
        sleep_until_called();
    }
    if (!waits(self->number)) stop();
}

/* Returns true for a piece of an instruction that was executed as a whole. */
static bool is_done(const HeddleTurn *t) { return t->flags & TURN_PIECE && !(t->flags & TURN_PARTS && threads[t->thread]->copies); }

void take_turn(void) {
    for (now++; now < schedule->nturns && is_done(&schedule->turns[now]); now++) continue;
    if (now < schedule->nturns || schedule->end != END_ENDLESS) return;
    if (++rounds == ROUNDS) end_as_in_trace();
    now = schedule->loop;
    if (now >= schedule->nturns) now = schedule->nturns; /* the loop has no turns: see tick */
}

/* Lets other threads take all turns. */
void await_end(void) {
    while (now < schedule->nturns) {
        pass_on();
        sleep_until_called();
    }
}

/* Ends a turn: passes the token on if another thread comes next, and returns when the thread has it again. */
void yield_token(void) {
    if (sections) watch_release(threads); /* orders the next section after this one */
    bool others =
        now < schedule->nturns ? schedule->turns[now].thread != self->number : schedule->thread && schedule->thread != self->number;
    if (!others && settled()) {
        park();
        return;
    }
    if (!others) return;
    pass_on();
    sleep_until_called();
}

void describe(const HeddleTurn *t) {
    if (!t->counterexample) return;
    if (!quiet) say("%6u  %s\n", t->step, t->counterexample);
    heddle_step(t->counterexample, t->function ? t->function : "main");
}

/* ---- races ---- */

Racer racers[2];
unsigned nracers;
bool reported;
_Thread_local bool racing;

static void check_racers(void) {
    const Racer *a = &racers[0], *b = &racers[1];
    bool overlap = !a->size || !b->size || (b->address < a->address + a->size && a->address < b->address + b->size);
    if (!overlap) DIVERGED("threads %u and %u access different places", a->thread, b->thread);
    if (!((a->flags | b->flags) & POINT_WRITES)) DIVERGED("threads %u and %u only read", a->thread, b->thread);
}

/* Arrives at one of the two accesses that race. The first waits for the second and is executed before it; or it was executed long
   before. Returns true if the turn continues like any other. */
bool meet(const HeddleTurn *t, void *address, size_t size, unsigned flags) {
    bool first = nracers == 0;
    racing = true;
    racers[nracers++] = (Racer){self->number, address, size, flags};
    if (first && schedule->end == END_UNORDERED) return true;
    describe(t);
    now++;
    if (first) {
        self->stopped = !WATCHED;
        pass_on();
        sleep_until_called();
        return false;
    }
    check_racers();
    if (!WATCHED) end_as_in_trace();
    if (schedule->end == END_UNORDERED) return false;
    call(racers[0].thread);
    sleep_until_called();
    return false;
}

/* Continues after one of the two accesses that race. */
void after_race(void) {
    racing = false;
    if (nracers == 2 && self->number == racers[1].thread) {
        if (!reported) DIVERGED("ThreadSanitizer does not report the race");
        end_as_in_trace();
    }
    if (schedule->end == END_UNORDERED) return;
    call(racers[1].thread);
    for (;;) pause();
}

void over(const HeddleTurn *t) {
    if (racing) after_race();
    if (t) yield_token();
}

/* ---- points ---- */

const HeddleTurn *arrive_at(unsigned at, void *address, size_t size, unsigned flags, bool by_pieces) {
    if (self->next == NO_TURN) {
        if (self->number == schedule->thread) {
            await_end();
            if (schedule->end == END_FAULT && at == schedule->origin && context == schedule->context) end_as_in_trace();
            return NULL;
        }
        if (!ends(self->number)) park();
        return NULL;
    }
    const HeddleTurn *t = &schedule->turns[self->next];
    if (points)
        say("        thread %u at %u %llx, awaits %u %llx\n", self->number, at, (long long)context, t->origin, (long long)t->context);
    if (t->origin != at || t->context != context) return NULL;
    while (now != self->next) {
        pass_on();
        sleep_until_called();
    }
    if (t->flags & TURN_RACE && !meet(t, address, size, flags)) return NULL;
    self->next = following[self->next];
    if (by_pieces) return t; /* the caller takes the turn */
    describe(t);
    take_turn();
    return t;
}

const HeddleTurn *arrive(unsigned at, void *address, size_t size, unsigned flags) { return arrive_at(at, address, size, flags, false); }

_Noreturn void wait_for_ever(const char *what) {
    if (self->next != NO_TURN || !waits(self->number)) DIVERGED("thread %u has to wait for %s", self->number, what);
    self->blocked = true;
    if (!quiet) say("        thread %u waits for %s\n", self->number, what);
    stop();
}
