/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one schedule in a child process. */
#pragma once
#include "run/config.h"
#include "run/violation.h"

/* The program: its main function and arguments. */
typedef struct Program {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **envp;
} Program;

typedef struct Run {
    uint64_t seed;
    const char *strategy;
    const Decision *decisions; /* NULL: the strategy decides */
    uint64_t ndecisions;
    bool strict;          /* a schedule that cannot be followed ends the run */
    bool reuse;           /* freed memory is used again immediately */
    bool history;         /* record entries */
    bool output;          /* the program's output is shown */
    uint64_t events;      /* most events; 0: as configured */
    const Finding *until; /* a race at which the run ends; NULL: it goes on */
} Run;

/* Runs the program. Afterwards `shared` has what happened. */
void run_schedule(const Program *, const Config *, const Run *);
/* Keeps the standard input for all schedules. */
void run_keep_input(void);
