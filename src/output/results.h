/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the results of a run, one for each property, and renders them once. */
#pragma once
#include "output/files.h"

typedef struct Result {
    bool there, final;  /* there: it has an answer; final: it is not tried again */
    int code;           /* exit code */
    double used, share; /* seconds that were used, and seconds that it was given */
    Output out;
} Result;

typedef struct Results {
    const Options *options;
    unsigned set, parts; /* the requested properties, and parts of valid-memsafety */
    Result list[NPROPERTIES];
    unsigned shown; /* the verdicts of properties before this one are printed */
    bool confirmed; /* schedules of the real program were run, if the options ask for that */
    bool ill;       /* a write to stdout failed */
} Results;

static inline bool results_are_several(const Results *s) { return s->set & (s->set - 1); }
static inline bool is_complaint(int code) { return code == EXIT_INPUT || code == EXIT_INTERNAL; }
/* Prints the lines of final verdicts in order, up to the first verdict that is not final. */
void results_show(Results *);
/* Returns the exit code of the run: that of an error if a result has an error, UNSAFE if a result is UNSAFE, SAFE if all are SAFE. */
int results_code(const Results *);
/* Adds the output that is not printed yet. The verdicts of several results are printed already; the rest follows, violations first. Prints
   complaints on stderr. */
void results_join(Results *, Output *);
void results_free(Results *);
