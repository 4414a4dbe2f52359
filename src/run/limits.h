/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the bounds of a run. */
#pragma once
#include "run/base.h"

typedef struct Limits {
    uint64_t seed;      /* of the run's inputs */
    uint64_t events;    /* a run with more events is endless */
    uint64_t long_run;  /* after this many points, threads are switched rarely */
    unsigned patience;  /* rounds of waiting for input from outside */
    unsigned wait_ends; /* one of N points ends a wait without a reason in the program */
    bool spurious;      /* waits for condition variables may end without a signal */
    bool reuse;         /* freed memory is used again immediately, instead of late */
    bool history;       /* record entries for a history */
    Address until[2];   /* a run ends after the race of these two places; 0: races do not end it */
} Limits;
extern Limits limits;
