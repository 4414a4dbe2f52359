/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the schedule of a native run, which native/files.c writes, and the flags of points, which native/instrument.c passes. */
#pragma once
#include <stdint.h>

/* Flags of __heddle_access. */
enum {
    POINT_READS = 1,
    POINT_WRITES = 2,
    POINT_POINTER = 4,
    POINT_LIBRARY = 8,  /* the point is in a model of a library function */
    POINT_RELAXED = 16, /* the access is a relaxed load, which orders nothing */
    POINT_FOR = 256     /* times a set of properties: the point counts for these only; 0: for all */
};
/* The bit of the property no-overflow in a set of properties. */
enum { WATCH_OVERFLOWS = 16 };

/* Records a step of the trace, at the next point of its thread with this origin and context. */
typedef struct HeddleTurn {
    unsigned thread, origin;
    uint64_t context;
    unsigned step; /* the step of the trace, from 1 */
    unsigned flags, size;
    uint64_t reads, writes; /* of a copy: the offset, in the upper 32 bits, and the number of bytes */
    uint64_t low,
        high; /* the value; of memory that is allocated, where it lies (the same number: the same place) and how large that may get */
    const char *function;       /* the function of the program; 0: none */
    const char *counterexample; /* its line of the counterexample; 0: the line of the turn before */
} HeddleTurn;

enum {
    TURN_VALUE = 1,   /* the place contains the value afterwards, or the run has diverged */
    TURN_ADDRESS = 2, /* … which is an address: only null or not null is compared */
    TURN_CHOSEN = 4,  /* the place is uninitialised, and gets this value */
    TURN_PIECE = 8,   /* part of the thread's previous turn, without a point of its own */
    TURN_RACE = 16,   /* one of the two that race: it waits for the other, unless other turns come between */
    TURN_SERVED = 32, /* weak memory: the read returns this value, whatever memory contains */
    TURN_PARTS = 64,  /* in pieces: other threads may take turns between them … */
    TURN_WRITES = 128 /* … and other threads see its writes */
};

/* Records an input of the program, at the next point of the thread with this origin and context. */
typedef struct HeddleInput {
    unsigned thread, origin;
    uint64_t context, value;
    unsigned step;
} HeddleInput;

/* The fate of a thread at the end: it is anywhere, has ended, or waits for ever. */
enum { FATE_SOMEWHERE, FATE_ENDS, FATE_WAITS };

typedef enum HeddleEnd { END_ERROR, END_FAULT, END_DEADLOCK, END_LEAK, END_ENDLESS, END_RACE, END_UNORDERED } HeddleEnd;

/* The whole run. It ends in `thread` (0: no particular one), at the point `origin` in `context` (0: any). */
typedef struct HeddleSchedule {
    const HeddleTurn *turns;
    const HeddleInput *inputs, *variables;
    const unsigned char *fates; /* by thread: one of FATE_… */
    unsigned nturns, ninputs, nvariables, threads, steps;
    HeddleEnd end;
    unsigned property; /* the property that is violated */
    unsigned thread, origin;
    uint64_t context;
    unsigned loop, loop_step; /* of an endless run: the turn and the step at which the loop begins */
    const char *arguments;    /* of main, as a shell splits them; 0: their number is the first input */
    const char *what;         /* describes the end … */
    const char *where;        /* … and its place; may be empty */
} HeddleSchedule;

extern const HeddleSchedule heddle_schedule;
