/* SPDX-License-Identifier: Apache-2.0 */
/* An interleaving: which thread took which action, and what its choices were. It is meaningful for one program. */
#pragma once
#include "ir/program.h"

/* The action of a step in which a store arrives that waits in the thread's buffer; the only choice says which (machine_flush). */
enum { TRACE_FLUSH = ~0u };

typedef struct TraceStep {
    unsigned thread; /* number, 1 is main */
    unsigned action; /* in its template */
    u128 *choices;   /* a vec, in the order the step asks */
} TraceStep;

/* How it violates a property. */
typedef enum TraceEnd {
    TRACE_ERROR,    /* the last step comes to an ERROR location */
    TRACE_FAULT,    /* the last step is at fault, and is not taken */
    TRACE_DEADLOCK, /* after the last step threads wait for ever */
    TRACE_LEAK,     /* after the last step the process has ended, and nothing points to some memory that was not freed */
    TRACE_ENDLESS,  /* after the last step the state is that before step `loop`: the steps from there on can be repeated for ever */
    TRACE_FAIR,     /* ENDLESS, and in the loop every thread takes a step, or cannot take one at some point outside of atomic sections */
    TRACE_RACE,     /* the last two steps, of two threads, are both possible in the state before, and what they access conflicts */
    TRACE_UNORDERED /* what the last step accesses conflicts with what an earlier one did, and nothing orders the two (ir/clocks.h) */
} TraceEnd;

#define TRACE_LOOPS(end) ((end) == TRACE_ENDLESS || (end) == TRACE_FAIR)

typedef struct Trace {
    u128 *initial;    /* a vec: choices of the initial state */
    TraceStep *steps; /* a vec */
    TraceEnd end;
    size_t loop; /* of ENDLESS and FAIR: not 0 */
} Trace;

/* Its steps are those of threads, and it has a loop only where its end says so. */
bool trace_valid(const Trace *);
/* How a trace of the program that a pass made becomes one of the program that it was given; the trace is changed. */
typedef struct WayBack {
    void (*trace)(const void *state, Trace *);
    void (*free)(void *state);
    void *state;
} WayBack;

Trace *trace_new(void);
void trace_free(Trace *);
void trace_add(Trace *, unsigned thread, unsigned action, u128 *choices /* taken over */);
void trace_add_copy(Trace *, const TraceStep *);
