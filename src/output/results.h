/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the results of a run, one for each property, and renders them once. */
#pragma once
#include "output/files.h"

typedef struct Result {
    bool there, final;  /* final: it is not tried again */
    int code;           /* exit code */
    double used, share; /* seconds that it took, of those that it had */
    Output out;
} Result;

typedef struct Results {
    const Options *options;
    unsigned set, parts; /* the properties that are asked for; parts of valid-memsafety */
    Result list[NPROPERTIES];
    unsigned shown; /* the lines of the properties before it are printed */
    bool ill;       /* something could not be printed */
} Results;

static inline bool results_are_several(const Results *s) { return s->set & (s->set - 1); }
static inline bool is_complaint(int code) { return code == EXIT_INPUT || code == EXIT_INTERNAL; }
/* Prints the lines of verdicts that are final, as soon as those before them are. */
void results_show(Results *);
/* Returns the exit code of all: UNSAFE if one is, SAFE if all are; what went wrong goes before all. */
int results_code(const Results *);
/* Adds what is left to be written: of several results the rest, violations first. Complaints go to stderr. */
void results_join(Results *, Output *);
void results_free(Results *);
