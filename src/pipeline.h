/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the verifier: loads the program, answers questions about it, and publishes the answers. */
#pragma once
#include "front/front.h"
#include "output/files.h"
#include "process/config.h"
#include "witness/witness.h"

typedef struct Run {
    const Options *options;
    Config config;
    FrontOptions front;
    const Certificate *certificate; /* to be checked; NULL: none */
    const Witnesses *witnesses;     /* the witnesses to be checked; NULL: none */
    unsigned properties, parts;     /* the properties to verify (bit p is property p), and the parts of valid-memsafety */
    Loaded loaded;                  /* without a program until it is loaded */
} Run;

/* Answers the question about a property in all forms of output, until the slot ends. Returns the exit code. run is a Run. */
int pipeline_answer(void *run, Property, TimeSlot, Output *);
