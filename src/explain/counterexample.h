/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a trace for the reader: which thread did what to which variable, and where in the source. explain/explain_trace makes a counterexample
   by replaying the trace, and output/ prints it. The counterexample's arena owns all of its texts. */
#pragma once
#include "ir/step.h"

typedef struct TraceLineEvent {
    AccessKind kind;
    bool shared;        /* another thread could see it; otherwise it is a named local variable */
    bool input;         /* the value is an input: the program may get any value */
    bool uninitialised; /* nothing was written to the place; the value is one of those that it may hold */
    bool failed;        /* LOCK: a try that found the lock taken */
    const char *name;   /* counter, buf[3], node#2.next; NULL for CREATE and JOIN */
    const char *value;  /* the value read or written, or the allocated size; NULL for a block of memory, and if it is undefined */
    /* WRITE: the value before it; NULL if that was undefined or is not known. ALLOC: the memory that had this address before */
    const char *before;
    bool buffered;       /* WRITE: the store enters the thread's store buffer; READ: the value comes from there */
    bool arrives;        /* WRITE: the store leaves the store buffer */
    bool waits;          /* UNLOCK, LOCK: a wait for a condition variable begins, ends */
    bool spurious;       /* the wait ends although no thread ended it */
    bool exchange_fails; /* READ: by a compare-exchange that changes nothing */
    unsigned thread;     /* CREATE, JOIN: the other thread */
    const char *does;    /* the effect of a library function in words: "posts s: 0 → 1"; NULL if the other fields suffice */
} TraceLineEvent;

/* Consecutive steps of one thread on one source line. */
typedef struct TraceLine {
    unsigned thread;
    Position position;
    const char *function;         /* may be NULL */
    const char *callers;          /* the callers of the function: "push:28 ← main:40"; NULL if it has no callers */
    unsigned location;            /* the index of the thread's location in its template */
    bool atomic;                  /* the line runs in an atomic section */
    bool flush;                   /* an earlier store of the thread becomes visible to other threads */
    bool resumes;                 /* the thread's previous line was the same, and other threads ran in between */
    TraceLineEvent *events;       /* a vec; only the last line of a counterexample may have no events */
    size_t folded;                /* the number of steps of the thread before this line that are not shown */
    size_t first_step, last_step; /* indices into the steps of the trace */
} TraceLine;

/* An input is the result of a function that may return any value, and that the program itself calls (__VERIFIER_nondet_int). */
typedef struct TraceInput {
    size_t moment;    /* the number of earlier lines; the program gets the input before the line of this index ends, if that line exists */
    unsigned threads; /* the number of threads that had been started when the program got it */
    unsigned thread;
    Position position;
    const char *function; /* the caller; may be NULL */
    u128 bits;
    unsigned width;
} TraceInput;

/* Names a thread that waits for ever when the counterexample ends, and the object of its wait. */
typedef struct TraceWait {
    unsigned thread;
    Position position;
    const char *what; /* "the lock a, which is held by main" */
} TraceWait;

typedef struct Counterexample {
    Arena *arena;
    const char **threads;  /* a vec: names; that of thread n is at n-1 */
    TraceLine *moments;    /* a vec of lines; the last one is the violation */
    bool endless;          /* the execution never ends: … */
    size_t loop;           /* … the lines from this index on are repeated for ever */
    TraceInput *inputs;    /* a vec */
    bool fault;            /* the trace ends in undefined behaviour: … */
    Fault kind;            /* … of this kind */
    const char *outcome;   /* the end of the trace: "the error", "a data race"; NULL stands for "the error" */
    const char *error;     /* a message that describes the violation */
    const char **details;  /* a vec: more about the violation, each a line of text */
    Position position;     /* the place of the violation */
    unsigned thread;       /* the thread at that place; 0: the thread of the last line */
    TraceWait *waits;      /* a vec: the waiting threads of a deadlock */
    size_t racing;         /* data race: the number of lines up to the first access (the last line has the second access); 0: not a race */
    Position first;        /* data race whose accesses are not adjacent: the place of the first access … */
    unsigned first_thread; /* … and its thread; 0: another violation */
    size_t steps;          /* the length of the trace */
    size_t switches;       /* changes of thread from one line to the next */
} Counterexample;

Counterexample *counterexample_new(void); /* the caller frees it */
void counterexample_free(Counterexample *);
