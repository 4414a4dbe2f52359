/* SPDX-License-Identifier: Apache-2.0 */
/* Renders an answered question in all the forms that the options ask for. */
#pragma once
#include "ir/loaded.h"
#include "output/files.h"
#include "output/report.h"
#include "result/verdict.h"
#include "witness/witness.h"

typedef struct Answered {
    const Options *options;
    const Loaded *loaded;   /* NULL: loading failed */
    const Program *program; /* the program of the question; NULL: loading failed */
    const Question *question;
    const Verdict *verdict;
    const Witnesses *invariants; /* invariants for a witness; may be NULL */
    WitnessStatus standing;      /* the result for the witness of --check-witness */
    double start;                /* the time when work on the question began */
} Answered;

/* Adds the answer in all requested forms. Returns the exit code. */
int publish(const Answered *, Output *);
/* Adds the answer to a question asked after n violations: another violation, or a note that no other one exists or that this is not known. */
void publish_more(const Answered *, unsigned n, Output *);
/* Adds a note after the text, and to the last object of the JSON. */
void publish_note(const Options *, const char *note, Output *);
/* Renders a report about runs of the real program. Returns the exit code. */
int publish_report(const Options *, const Report *, Output *);
/* Adds another violation, as rendered: a text after the text, and a JSON object after the last one. */
void publish_beside(const Options *, const Output *more, Output *);
