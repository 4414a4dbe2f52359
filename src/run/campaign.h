/* SPDX-License-Identifier: Apache-2.0 */
/* Searches the schedules of a program, one after the other. */
#pragma once
#include "run/run.h"

enum { MOST_VIOLATIONS = 256 };

typedef struct Campaign {
    const Program *program;
    const Config *config;
    uint64_t runs;       /* finished ones */
    uint64_t orders;     /* different traces among them, as far as they were counted */
    uint64_t unfinished; /* runs that ended for a reason that is no violation */
    Finding reason;      /* of the first of them … */
    uint64_t reason_run; /* … which had this number */
    uint64_t counted, most_events, all_events, all_points;
    unsigned most_threads;
    double seconds;
    Violation violations[MOST_VIOLATIONS];
    unsigned nviolations;
} Campaign;

/* Runs the schedules that the configuration asks for. `first`: of how many jobs this is which one. */
void campaign_search(Campaign *, uint64_t job);
/* Returns how a run with this seed uses freed memory. */
bool campaign_reuses(uint64_t seed);
