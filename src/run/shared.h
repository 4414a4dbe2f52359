/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the memory that the driver shares with the child that runs a schedule. The child writes what happened; the driver reads it after
   the child's end, however it ended. */
#pragma once
#include "run/base.h"

typedef enum Outcome {
#define OUTCOME(name, property, word, text) OUTCOME_##name,
#include "run/outcome.def"
#undef OUTCOME
    NOUTCOMES
} Outcome;

/* The end of a schedule, or a data race on its way. */
typedef struct Finding {
    Outcome outcome;
    unsigned thread, other; /* other: the thread of the earlier access of a race, or the one that freed the memory */
    Address pc, other_pc;
    Address address;
    unsigned size, other_size;
    bool write, other_write;
    uint64_t event; /* the number of earlier events */
    char text[400]; /* for the reader */
} Finding;

typedef enum DecisionKind {
    DECISION_SWITCH,   /* thread `value` continues */
    DECISION_TIMEOUT,  /* the timed wait of thread `value` expires */
    DECISION_SPURIOUS, /* the wait of thread `value` for a condition variable ends although no thread ended it */
    DECISION_PICK      /* a signal wakes up the waiting thread with index `value` */
} DecisionKind;

/* Records a choice that differs from the default (schedule.h). The thread had executed `steps` events of its own when it was made. The
   decisions determine the schedule. */
typedef struct Decision {
    uint64_t steps;
    unsigned thread;
    unsigned short kind, value;
} Decision;

enum { MOST_THREADS = 512, MOST_RACES = 64, MOST_DECISIONS = 1 << 22, MOST_ENTRIES = 1 << 18, MOST_CALLS = 6, PLACES = 1 << 16 };

/* Records what a thread did, for the history of a violation. */
typedef struct Entry {
    uint64_t event;
    unsigned char kind, size;
    unsigned short thread, other; /* other: the thread that is created or joined */
    unsigned calls;               /* number of the call sites below */
    bool write, has_value, flag;  /* flag: a try that failed, a wait that timed out */
    Address pc, address, call[MOST_CALLS];
    uint64_t value, before; /* of an access: the value that is read or written; for ALLOCATE and FREE: the size */
} Entry;

typedef struct Shared {
    /* the run */
    uint64_t events, points, switches, hash;
    unsigned threads, nraces;
    Finding end, races[MOST_RACES];
    bool ended; /* the child recorded its end */
    uint64_t ndecisions;
    Decision decisions[MOST_DECISIONS];
    /* the campaign: places that took part in a race, where threads are switched; and the points of a run on average */
    unsigned char racy[PLACES / 8];
    uint64_t usual_points;
    /* the history of a replay: a ring of the last entries */
    uint64_t nentries;
    Entry entries[MOST_ENTRIES];
} Shared;

extern Shared *shared;
