/* SPDX-License-Identifier: Apache-2.0 */
/* Finds threads that wait for ever in a state (deadlocks), and heap memory to which nothing points any more (leaks). */
#pragma once
#include "ir/step.h"

typedef struct Wait {
    unsigned thread;
    unsigned blocker; /* the holder of the lock, or the thread whose end is awaited; 0: no particular thread */
    bool lock;        /* the wait is for a lock … */
    uint64_t address; /* … in memory; 0: the lock is a variable */
    const Action *action;
} Wait;

/* Returns true if the thread waits, and appends the accesses that it makes before. */
bool state_wait_accesses(Machine *, const State *, unsigned thread, Accesses *seen);

/* Returns true if the thread can take a step, or a whole atomic section. The step may fault or end the process. Unknown counts as true. */
bool state_can_move(Machine *, const State *, unsigned thread);
bool machine_skipped_choices(const Machine *); /* an answer so far was unknown: not all choices on which it depends were tried */

typedef enum DeadlockKind {
    DEADLOCK_NONE,
    DEADLOCK_ALL,   /* all threads that have not ended wait */
    DEADLOCK_CYCLE, /* threads wait for each other's locks */
    DEADLOCK_SELF,  /* a thread waits for a lock that it holds */
    DEADLOCK_ENDED  /* a thread waits for a lock whose holder has ended */
} DeadlockKind;
/* Returns how threads wait for ever. Appends their waits to *waits, a vec (may be NULL): all, or those of the cycle in order. */
DeadlockKind state_deadlock(Machine *, const State *, Wait **waits);
/* Returns the same for the thread, which cannot move: a cycle that it is part of, or that it waits for. */
DeadlockKind state_deadlock_of(Machine *, const State *, unsigned thread, Wait **waits);

/* Returns the lowest address of leaked heap memory, or 0. *object becomes its site. Memory is leaked if it is not freed, and no global,
   no local of a running thread and no other reachable heap memory points into it or to its end. */
uint64_t state_leak(const Machine *, const State *, const Object **object);
