/* SPDX-License-Identifier: Apache-2.0 */
/* Computes persistent sets for partial order reduction, and the footprint of everything that a thread may do from a location on. */
#pragma once
#include "ir/step.h"

/* The search of all states does not follow executions with more threads. Random simulation does. */
enum { MOST_SEARCHED = 255 };

/* A set of threads, by number. */
typedef struct Threads {
    uint64_t bits[(MOST_SEARCHED + 1) / 64];
} Threads;
static inline bool threads_have(const Threads *s, unsigned t) { return s->bits[t / 64] >> (t % 64) & 1; }
static inline void threads_put(Threads *s, unsigned t) { s->bits[t / 64] |= UINT64_C(1) << (t % 64); }
static inline void threads_drop(Threads *s, unsigned t) { s->bits[t / 64] &= ~(UINT64_C(1) << (t % 64)); }
/* Removes and returns the lowest thread of the set; 0: the set is empty. */
static inline unsigned threads_take(Threads *s) {
    for (unsigned i = 0; i < 4; i++)
        if (s->bits[i]) {
            unsigned t = 64 * i + (unsigned)__builtin_ctzll(s->bits[i]);
            s->bits[i] &= s->bits[i] - 1;
            return t;
        }
    return 0;
}

/* Records the facts about a location that the search needs. */
typedef struct Site {
    LocationKind kind;
    bool atomic;
    bool invisible;             /* no action that leaves it is visible to other threads, so the thread may run on immediately */
    bool exclusive;             /* at most one of the actions is enabled, whatever the state */
    bool enters;                /* some action enters an atomic section */
    bool may_fail_after_choice; /* after a choice, some action may be disabled or fault */
    bool joins;                 /* every action first waits for another thread's end */
    unsigned nout;              /* the actions that leave it; those to HALT only if the end of the process matters */
    const unsigned *out;
    Footprint next; /* footprint of the next step, or, if that enters an atomic section, of the whole section */
} Site;

typedef struct Reduction Reduction;

/* Returns the reduction for a program. ends: the property depends on the end of the process, so actions to HALT are steps, too. */
Reduction *reduction_new(const Program *, Machine *, bool ends);
void reduction_free(Reduction *);
/* Returns the footprint of everything that the thread, and threads that it may create, may do from its location on. It uses the bits of
   machine_track, so it can be compared with footprints of steps that were taken. */
Footprint reduction_future(const Reduction *, const State *, unsigned thread);
/* Returns the location of the thread. */
const Site *reduction_site(const Reduction *, const State *, unsigned thread);

/* Returns a persistent set: it suffices to explore the next steps of its threads. Unless one of them moves first, no other thread can do anything
   that conflicts with their next steps. Sets *size to the number of threads of the set that may be able to move, and *one to one of these. If no
   thread of the set can move, the other threads must be tried. */
Threads reduction_persistent(Reduction *, State *, unsigned *size, unsigned *one);

/* Computes the memory that an instruction may touch in any state, by points-to analysis. Heap objects are distinguished by allocation site, and by
   their parts. The bits of the heap differ from those of steps that were taken (ir/step.h, footprints): the two must not be compared. */
typedef struct Touches Touches;
Touches *touches_new(const Program *, const Machine *);
void touches_free(Touches *);
/* Returns the footprint of an instruction. NULL stands for the guard and for reaching the target. */
Footprint touches_of(Touches *, const Template *, const Action *, const Instr *);
