/* SPDX-License-Identifier: Apache-2.0 */
/* What a native run is made of: the calls that native/instrument.c puts into the program, and the schedule that native/files.c writes. */
#pragma once
#include <stdint.h>

/* Flags of __heddle_access. */
enum {
    POINT_READS = 1,
    POINT_WRITES = 2,
    POINT_POINTER = 4,
    POINT_LIBRARY = 8, /* in a model of a library function */
    POINT_FOR = 256    /* times a set of properties: for these alone; 0: for all */
};
/* A property is a bit of such sets; that of overflows. */
enum { WATCH_OVERFLOWS = 16 };

/* A step of the trace: the next point of its thread with this origin in this context. */
typedef struct HeddleTurn {
    unsigned thread, origin;
    uint64_t context;
    unsigned step; /* of the trace, from 1 */
    unsigned flags, size;
    uint64_t reads, writes; /* of a copy: where in it, in the upper 32 bits, and how many bytes */
    uint64_t low,
        high; /* the value; of memory that is allocated, where it lies (the same number: the same place) and how large that may get */
    const char *function;       /* of the program, that it is in; 0: none */
    const char *counterexample; /* what is told of it; 0: it belongs to what was told last */
} HeddleTurn;

enum {
    TURN_VALUE = 1,   /* the value is there afterwards, or something is wrong */
    TURN_ADDRESS = 2, /* … which is an address: only whether it is null */
    TURN_CHOSEN = 4,  /* nothing was written there: it holds this value */
    TURN_PIECE = 8,   /* part of the thread's turn before: there is no point of its own */
    TURN_RACE = 16,   /* one of two that race: it waits for the other, unless others come between */
    TURN_SERVED = 32, /* memory is weak: this value is read, whatever memory holds */
    TURN_PARTS = 64,  /* in pieces: others may take turns between them … */
    TURN_WRITES = 128 /* … and others see what is written */
};

/* A value that the program asks for, at the next such point of the thread with this origin in this context. */
typedef struct HeddleInput {
    unsigned thread, origin;
    uint64_t context, value;
    unsigned step;
} HeddleInput;

/* What becomes of a thread: it is somewhere in the end, has ended, or waits for ever. */
enum { FATE_SOMEWHERE, FATE_ENDS, FATE_WAITS };

typedef enum HeddleEnd { END_ERROR, END_FAULT, END_DEADLOCK, END_LEAK, END_ENDLESS, END_RACE, END_UNORDERED } HeddleEnd;

/* How it ends: in this thread (0: in none), at this point (0: somewhere). */
typedef struct HeddleSchedule {
    const HeddleTurn *turns;
    const HeddleInput *inputs, *variables;
    const unsigned char *fates; /* by thread: one of those below */
    unsigned nturns, ninputs, nvariables, threads, steps;
    HeddleEnd end;
    unsigned property; /* that is violated */
    unsigned thread, origin;
    uint64_t context;
    unsigned loop, loop_step; /* of what does not end: the turn, and the step, that it goes on with */
    const char *arguments;    /* of main, as a shell splits them; 0: as many as its first input says */
    const char *what;         /* happens in the end … */
    const char *where;        /* … and where; may be empty */
} HeddleSchedule;

extern const HeddleSchedule heddle_schedule;
