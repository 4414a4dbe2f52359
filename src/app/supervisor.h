/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the verifier one question after the other. The verifier is a process that loads the program once; it may crash, or use up its time or
   memory: that costs the question that it worked on, and another process answers the rest. */
#ifndef HEDDLE_APP_SUPERVISOR_H
#define HEDDLE_APP_SUPERVISOR_H
#include "output/results.h"
#include "process/config.h"

/* What the verifier does with a question: it adds the answer in all its forms, and returns the exit code. */
typedef struct Verifier {
    int (*answer)(void *state, Property, TimeSlot, Output *);
    void *state;
} Verifier;

/* Answers all questions of the results until `end`. */
void supervise(const Verifier *, const Config *, Results *, double end);

#endif
