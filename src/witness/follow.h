/* SPDX-License-Identifier: Apache-2.0 */
/* Is there an execution that passes a witness's waypoints in their order and ends with the violation? */
#pragma once
#include "engine/explicit/inputs.h"
#include "result/trace.h"
#include "witness/witness.h"

typedef enum FollowEnd {
    FOLLOW_FOUND,   /* *trace */
    FOLLOW_NONE,    /* there is none */
    FOLLOW_UNKNOWN, /* none was found, and not all was looked at */
} FollowEnd;

/* until: by the clock. *why: of NONE and UNKNOWN, as a sentence. */
FollowEnd follow(const Program *, const Question *, const Witness *, double until, Trace **trace, Buf *why);

/* A way from the state back to itself, of steps that are added to the trace. False: none was found among the nearest states. */
bool loop_find(const Program *, Machine *, Inputs *, const State *, Trace *);
