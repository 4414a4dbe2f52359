/* SPDX-License-Identifier: Apache-2.0 */
/* Partial order reduction: what threads may touch from a location on, and which threads need not wait for others. */
#pragma once
#include "ir/step.h"

/* Executions with more threads are not searched, only hunted in. */
enum { MOST_SEARCHED = 255 };

/* A set of threads, by number. */
typedef struct Threads {
    uint64_t bits[(MOST_SEARCHED + 1) / 64];
} Threads;
static inline bool threads_have(const Threads *s, unsigned t) { return s->bits[t / 64] >> (t % 64) & 1; }
static inline void threads_put(Threads *s, unsigned t) { s->bits[t / 64] |= UINT64_C(1) << (t % 64); }
static inline void threads_drop(Threads *s, unsigned t) { s->bits[t / 64] &= ~(UINT64_C(1) << (t % 64)); }
/* Take the lowest one out; 0: there is none. */
static inline unsigned threads_take(Threads *s) {
    for (unsigned i = 0; i < 4; i++)
        if (s->bits[i]) {
            unsigned t = 64 * i + (unsigned)__builtin_ctzll(s->bits[i]);
            s->bits[i] &= s->bits[i] - 1;
            return t;
        }
    return 0;
}

/* What the search needs to know of a location. */
typedef struct Site {
    LocationKind kind;
    bool atomic;
    bool quiet;     /* nothing that leaves it can be seen by others: its thread runs on at once */
    bool exclusive; /* at most one of the actions is enabled, whatever the state */
    bool enters;    /* some action enters an atomic section */
    bool chancy;    /* some action may turn out disabled or at fault behind a choice */
    bool joins;     /* every action waits for another thread's end first */
    unsigned nout;  /* actions that leave it, but for those to HALT */
    const unsigned *out;
    Footprint next; /* what the next step (if it enters an atomic section, all of it) may touch */
} Site;

typedef struct Reduction Reduction;

/* ends: it matters where the process may end. */
Reduction *reduction_new(const Program *, Machine *, bool ends);
void reduction_free(Reduction *);
/* What the thread, and those that it may create, may touch from where it is on; in the bits of steps that are taken. */
Footprint reduction_future(const Reduction *, const State *, unsigned thread);
const Site *reduction_site(const Reduction *, const State *, unsigned thread);

/* Threads whose next steps it suffices to explore at this state: none of the others can, without one of these moving
   first, do anything that conflicts with them. *size of them may be able to move, *one is such; if none can, others must be tried. */
Threads reduction_persistent(Reduction *, State *, unsigned *size, unsigned *one);

/* What an instruction may touch in whatever state, by what its address can point to: heap objects are told apart by where they are allocated, and by
   their parts. The bits of the heap have nothing to do with those of steps that were taken (ir/step.h, footprints). */
typedef struct Touches Touches;
Touches *touches_new(const Program *, const Machine *);
void touches_free(Touches *);
/* Of an instruction, or a guard (instr NULL) and reaching the target. */
Footprint touches_of(Touches *, const Template *, const Action *, const Instr *);
