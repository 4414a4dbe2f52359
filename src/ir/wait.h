/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for ever in a state, and memory that nothing points to any more: what two properties ask of states. */
#pragma once
#include "ir/step.h"

typedef struct Wait {
    unsigned thread;
    unsigned blocker; /* the holder of the lock, or the thread whose end it waits for; 0: for no thread in particular */
    bool lock;        /* for a lock */
    uint64_t address; /* … in memory, not a variable */
    const Action *action;
} Wait;

/* The same; what it has looked at before it waits is appended. */
bool state_waits_seeing(Machine *, const State *, unsigned thread, Accesses *seen);

/* Can the thread take a step, or a whole atomic section? (Also one that faults, or ends the process.) What is not known counts as yes. */
bool state_can_move(Machine *, const State *, unsigned thread);
bool machine_is_unsure(const Machine *); /* something was not known of these, so far: not all choices were tried on which it depends */

typedef enum DeadlockKind {
    DEADLOCK_NONE,
    DEADLOCK_ALL,   /* every thread that has not ended waits */
    DEADLOCK_CYCLE, /* threads wait for each other's locks */
    DEADLOCK_SELF,  /* a thread waits for a lock that it holds */
    DEADLOCK_ENDED  /* … whose holder has ended */
} DeadlockKind;
/* Do threads wait for ever? Those that do are appended to *waits (a vec; may be NULL): all of them, or those of the cycle in order. */
DeadlockKind state_deadlock(Machine *, const State *, Wait **waits);
/* … as the thread, which cannot move, does: a cycle that it is part of, or leads to. */
DeadlockKind state_deadlock_of(Machine *, const State *, unsigned thread, Wait **waits);

/* The lowest address of heap memory that is not freed and that no global, no local of a thread and no such memory points to (into, or to its end); 0: there is
   none. *object: its site. */
uint64_t state_leak(const Machine *, const State *, const Object **object);
