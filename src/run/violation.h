/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a violation that a campaign found, with the schedule that leads to it. */
#pragma once
#include "run/shared.h"

typedef struct Violation {
    Finding finding;
    uint64_t run;  /* the number of the schedule, from 1 */
    uint64_t seed; /* of the run */
    uint64_t hash; /* of its trace */
    bool reuse;    /* how the heap was used */
    const char *strategy;
    const Decision *decisions;
    uint64_t ndecisions;
} Violation;

/* Returns the property that an outcome violates, or NULL. */
const char *violation_property(Outcome);
const char *violation_word(Outcome);
/* Returns whether two findings are about the same places. */
bool violation_is_same(const Finding *, const Finding *);
