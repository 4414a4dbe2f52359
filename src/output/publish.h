/* SPDX-License-Identifier: Apache-2.0 */
/* Renders an answered question in all the forms that the options ask for. */
#pragma once
#include "ir/loaded.h"
#include "output/files.h"
#include "result/verdict.h"
#include "witness/witness.h"

typedef struct Answered {
    const Options *options;
    const Loaded *loaded;   /* NULL: nothing could be loaded */
    const Program *program; /* that of the question; NULL likewise */
    const Question *question;
    const Verdict *verdict;
    const Witnesses *claims; /* invariants for a witness; NULL: none */
    WitnessStatus standing;  /* of the witness of --check-witness */
    double start;            /* when the question was begun */
} Answered;

/* Adds all forms; returns the exit code. */
int publish(const Answered *, Output *);
/* Adds what was found after n violations: another one, or that there are no more, or perhaps some. */
void publish_more(const Answered *, unsigned n, Output *);
/* Adds a note about all of that. */
void publish_note(const Options *, const char *note, Output *);
