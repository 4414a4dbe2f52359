/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles programs with heddle-cc, and runs campaigns of them. */
#pragma once
#include "app/run_result.h"
#include "options/options.h"

typedef struct Campaign {
    const Options *options;
    double start;
    double runs;
    const char **flags;   /* a vec: for compiling */
    const char **words;   /* a vec: arguments of the program */
    const char *property; /* the only one that is wanted; NULL: several are */
    char folder[64];      /* a new folder, for the program and its results */
    bool keeps;           /* the folder is kept */
    char *program;        /* a path; malloced */
    char **arguments;     /* a vec of malloced texts: of the program, its name first */
    char **environment;   /* a vec of malloced texts: only for a replay */
    char *directory;      /* where the program starts: only for a replay; malloced */
    RunResult *results;   /* a vec: one for each process that ran a campaign */
} Campaign;

/* Compiles the files, or finds the program or the schedule of the options. Returns false and sets *error if that is impossible. */
bool campaign_prepare(Campaign *, Buf *error);
/* Runs it, and reads the results. */
bool campaign_run(Campaign *, Buf *error);
void campaign_free(Campaign *);
