/* SPDX-License-Identifier: Apache-2.0 */
/* The verifier: load, question, plan, check, publish. */
#pragma once
#include "front/front.h"
#include "output/files.h"
#include "process/config.h"
#include "witness/witness.h"

typedef struct Run {
    const Options *options;
    Config config;
    FrontOptions front;
    const Witnesses *witnesses; /* to be checked; NULL: none */
    unsigned properties, parts; /* that are asked for: bit p is property p; parts of valid-memsafety */
    Loaded loaded;              /* no program: not yet */
} Run;

/* Answers a question of the run in all forms; returns the exit code. run: a Run. */
int pipeline_answer(void *run, Property, TimeSlot, Output *);
