/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one thread at a time: the thread with the token. It keeps the token until the scheduler gives it to another thread, at a point. */
#pragma once
#include "run/thread.h"

/* Begins to control the program: the calling thread is its main thread. */
void scheduler_start(void);
/* Stops controlling it: at the end, or in a child that the program forked. */
void scheduler_stop(void);
extern bool scheduler_on;

/* Enters the runtime. Returns false if the runtime does not control this call: before main, after exit, and inside of the runtime. */
bool scheduler_enter(void);
void scheduler_leave(void);
/* Executes the calling thread's next event. At a point the strategy chooses a thread, and this returns when the event is the one to happen.
   Otherwise other threads run only where a recorded schedule has a switch. */
void scheduler_event(const Event *, bool is_point);
/* Counts an event of a thread that is alone, for which nothing else needs to be done. */
void scheduler_count(void);
/* The calling thread ends: another one goes on. */
void scheduler_exit(void);
/* Waits for the first turn of a new thread. */
void scheduler_begin_thread(void);
/* Takes the token from the thread that has it and sleeps in a system call. */
void scheduler_take_from_sleeper(void);
/* Returns a number from 0 to n-1 for a choice that is not between threads. */
unsigned scheduler_pick(unsigned n);
/* Ends the run. */
_Noreturn void scheduler_end(Outcome, Address pc, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void scheduler_end_with(const Finding *);
