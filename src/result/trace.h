/* SPDX-License-Identifier: Apache-2.0 */
/* A trace is an interleaving with its inputs: for each step the thread, its action, and its choices. It belongs to one program. */
#pragma once
#include "ir/program.h"

/* Stands for an action in a step that flushes a store from the thread's store buffer. The step's only choice selects the store (machine_flush). */
enum { TRACE_FLUSH = ~0u };

typedef struct TraceStep {
    unsigned thread; /* the thread's number; 1 is main */
    unsigned action; /* the index of the action in the thread's template */
    u128 *choices;   /* a vec, in the order in which the step uses them */
} TraceStep;

/* The way in which the trace violates its property. */
typedef enum TraceEnd {
    TRACE_ERROR,    /* the last step reaches an ERROR location */
    TRACE_FAULT,    /* the last step has a fault, so it is not completed */
    TRACE_DEADLOCK, /* after the last step threads wait for ever */
    TRACE_LEAK, /* after the last step the process has ended without freeing some memory; for valid-memtrack, no pointer leads to this memory */
    TRACE_ENDLESS,  /* the state after the last step is the state before step `loop`, so the steps from there on can repeat for ever */
    TRACE_FAIR,     /* ENDLESS, and in the loop every thread takes a step, or is blocked at some point outside of atomic sections */
    TRACE_RACE,     /* the last two steps are of two threads; both are possible in the state before them, and their accesses conflict */
    TRACE_UNORDERED /* an access of the last step conflicts with an earlier one, and happens-before does not order the two (ir/clocks.h) */
} TraceEnd;

#define TRACE_LOOPS(end) ((end) == TRACE_ENDLESS || (end) == TRACE_FAIR)

typedef struct Trace {
    u128 *initial;    /* a vec: choices of the initial state */
    TraceStep *steps; /* a vec */
    TraceEnd end;
    size_t loop; /* ENDLESS, FAIR: the first step of the loop, not 0 */
} Trace;

/* Tells whether every step has a thread, and `loop` is in range if the trace is endless. */
bool trace_valid(const Trace *);
/* Translates a trace from after a pass to before it: `trace` changes the trace in place. `free` frees the state. */
typedef struct WayBack {
    void (*trace)(const void *state, Trace *);
    void (*free)(void *state);
    void *state;
} WayBack;

Trace *trace_new(void);
void trace_free(Trace *);
void trace_add(Trace *, unsigned thread, unsigned action, u128 *choices /* taken over */);
void trace_add_copy(Trace *, const TraceStep *);
