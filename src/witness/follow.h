/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for an execution that passes the waypoints of a witness in their order and ends with the violation. */
#pragma once
#include "engine/explicit/inputs.h"
#include "result/trace.h"
#include "witness/witness.h"

typedef enum FollowEnd {
    FOLLOW_FOUND,   /* *trace is the execution */
    FOLLOW_NONE,    /* no execution follows the witness */
    FOLLOW_UNKNOWN, /* the search was not complete */
} FollowEnd;

/* Searches until the time `until`. *trace gets the execution for FOLLOW_FOUND. *why gets the reason, as a sentence, for the other
   results. */
FollowEnd follow(const Program *, const Question *, const Witness *, double until, Trace **trace, Buf *why);

/* Searches for a path from the state back to itself, and adds its steps to the trace. Returns false if the nearest states have no such
   path. */
bool loop_find(const Program *, Machine *, Inputs *, const State *, Trace *);
