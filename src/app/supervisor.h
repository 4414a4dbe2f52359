/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the time among the questions and asks the verifier one after the other. The verifier is a process; it may crash, or use up its time or
   memory: that costs the question that it worked on, which becomes UNKNOWN with a reason or, if it is our fault, an internal error. Another
   process answers the rest, but after an internal error at the first question the run ends. */
#pragma once
#include "output/results.h"
#include "process/config.h"

/* What the verifier does with a question: it adds the answer in all its forms, and returns the exit code. */
typedef struct Verifier {
    int (*answer)(void *state, Property, TimeSlot, Output *);
    void *state;
} Verifier;

/* Answers all questions of the results until `end`. */
void supervise(const Verifier *, const Config *, Results *, double end);
