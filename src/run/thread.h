/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the program, as the runtime sees them. */
#pragma once
#include "run/event.h"
#include <pthread.h>

typedef enum ThreadState {
    THREAD_LIVE,
    THREAD_AWAY, /* it is in a system call that the runtime does not see; another thread has its turn */
    THREAD_DEAD
} ThreadState;

enum { MOST_FRAMES = 4096 };

struct Thread {
    unsigned id; /* 0 is main */
    ThreadState state;
    Event event;    /* the next event, while the thread waits for its turn */
    uint64_t steps; /* the number of its events */
    int turn;       /* a futex: 1 when the thread may go on */
    bool inside;    /* it executes the runtime */
    Clock *clock;
    Clock *released, *seen; /* what fences order: the clock of its last release fence; what its relaxed loads have read. NULL: nothing */
    /* waits */
    bool signalled, timed_out, paused;
    double priority;
    unsigned sections; /* atomic sections that it is in */
    unsigned spins;    /* choices that found only this thread first */
    /* spinning: the last read, how often it was repeated, and the accesses since the last switch */
    Address last_pc, last_address;
    unsigned repeated, since_switch, queries; /* queries: looks at clocks */
    /* life */
    int tid;
    pthread_t handle;
    void *(*start)(void *);
    void *argument;
    bool detached, joined, cancelled, no_cancel, async_cancel;
    unsigned destructor_rounds;
    /* calls: the places of the calls that lead here */
    Address *frames;
    unsigned depth;
    /* the history: the access whose value is known only after it happened */
    Entry *pending;
};

extern Thread *threads[MOST_THREADS];
extern unsigned nthreads; /* all threads that were created, dead ones included */
extern unsigned nlive;    /* threads that have not ended … */
extern unsigned nloose;   /* … and ended threads that no thread has joined */
extern __thread Thread *self __attribute__((tls_model("initial-exec")));

/* Makes the next thread, or ends the run if there are too many. */
Thread *thread_new(void);
/* Returns whether a cancellation is pending that acts at the thread's pending event. */
bool thread_is_cancelled(const Thread *);
/* Returns whether every access is ordered with all accesses of other threads, since there are no other threads. */
static inline bool thread_is_alone(void) { return nlive == 1 && !nloose; }
/* Begins to control the program, in its main thread. */
void threads_start(void);
