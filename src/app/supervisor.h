/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the time among the questions, and asks the verifier one after the other. The verifier is a process. If it crashes, or uses up
   its time or memory, only the current question is lost. The question becomes UNKNOWN with a reason. If a bug of Heddle caused
   the crash, it becomes an internal error. Another process answers the remaining questions. After an internal error at the first question, the run ends. */
#pragma once
#include "output/results.h"
#include "process/config.h"

/* The verifier's work on a question: `answer` adds the answer in all its forms to the output, and returns the exit code. */
typedef struct Verifier {
    int (*answer)(void *state, Property, TimeSlot, Output *);
    void *state;
} Verifier;

/* Answers all questions of the results until `end`. */
void supervise(const Verifier *, const Config *, Results *, double end);
