/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as a person reads it: who did what to which variable, where in the source. explain/tell makes it by replaying
   a trace; output/ prints it. Everything lives in the counterexample's arena. */
#pragma once
#include "ir/step.h"

typedef struct TraceLineEvent {
    AccessKind kind;
    bool shared;         /* another thread could see it; others are named local variables */
    bool input;          /* the value came from outside: nondeterministic */
    bool uninitialised;  /* nothing was written there; the value is one that it may hold then */
    bool failed;         /* LOCK: it was tried and is taken */
    const char *name;    /* counter, buf[3], node#2.next; NULL for CREATE and JOIN */
    const char *value;   /* read or written, allocated size; NULL for a block of memory, and if it is undefined */
    const char *before;  /* WRITE: the value there before; NULL if that was undefined or is not known. ALLOC: what was at this address */
    bool buffered;       /* WRITE: it waits in the thread's store buffer; READ: it comes from there */
    bool arrives;        /* WRITE: it waited there until now */
    bool waits;          /* UNLOCK, LOCK: for a condition variable, and the end of that */
    bool spurious;       /* … which nobody caused */
    bool exchange_fails; /* WRITE: of a compare-exchange that changes nothing */
    unsigned thread;     /* CREATE, JOIN: the other thread */
    const char *does;    /* what a function of the library does, if that says more than all this: "posts s: 0 → 1" */
} TraceLineEvent;

/* Steps in a row of one thread on one source line are one moment. */
typedef struct TraceLine {
    unsigned thread;
    Position position;
    const char *function;         /* may be NULL */
    const char *callers;          /* of it: "push:28 ← main:40"; NULL: none */
    unsigned location;            /* where the thread was, in its template */
    bool atomic;                  /* in an atomic section */
    bool flush;                   /* a store of the thread arrives that it has made before */
    bool resumes;                 /* the thread's last moment was on the same line, and others ran since */
    TraceLineEvent *events;       /* a vec; never empty, but in the last moment */
    size_t first_step, last_step; /* in the trace */
} TraceLine;

/* The result of a function that may return anything, called by the program itself (__VERIFIER_nondet_int). */
typedef struct TraceInput {
    size_t moment;    /* it is there before the moment of this number is over; so many moments may be there in all */
    unsigned threads; /* … and before others than the first so many were started */
    unsigned thread;
    Position position;
    const char *function; /* the caller; may be NULL */
    u128 bits;
    unsigned width;
} TraceInput;

/* Who waits for ever when it ends. */
typedef struct TraceWait {
    unsigned thread;
    Position position;
    const char *what; /* "the lock a, which is held by main" */
} TraceWait;

typedef struct Counterexample {
    Arena *arena;
    const char **threads;  /* a vec: names; thread n is at n-1 */
    TraceLine *moments;    /* a vec; the last one is the violation */
    bool endless;          /* it does not end: … */
    size_t loop;           /* … the moments from this one on are repeated for ever */
    TraceInput *inputs;    /* a vec */
    bool fault;            /* it ends in undefined behaviour, not in a violation: … */
    Fault kind;            /* … of this kind */
    const char *outcome;   /* what it leads to: "the error", "a data race"; NULL: the error */
    const char *error;     /* what is violated */
    const char **details;  /* a vec: more of it, a line each */
    Position position;     /* of the violation */
    unsigned thread;       /* who is there; 0: whose moment is the last */
    TraceWait *waits;      /* a vec: of a deadlock */
    size_t racing;         /* of a race: how many moments there are up to the first access (the last one has the second); 0: it is none */
    Position first;        /* of a race whose accesses do not meet: where the first one was … */
    unsigned first_thread; /* … and whose it was; 0: it is no such race */
    size_t steps;          /* of the trace */
    size_t switches;       /* between moments of different threads */
} Counterexample;

Counterexample *counterexample_new(void);
void counterexample_free(Counterexample *);
