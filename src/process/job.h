/* SPDX-License-Identifier: Apache-2.0 */
/* A run: what was asked, and what all its processes know. */
#ifndef HEDDLE_PROCESS_JOB_H
#define HEDDLE_PROCESS_JOB_H
#include "analysis/delays.h"
#include "app/options.h"
#include "passes/passes.h"
#include "witness/witness.h"

enum { MOST_RUNNERS = 20 };

/* What the supervisor still knows when the worker is gone, and what engines leave to the worker. */
typedef struct Shared {
    Stats stats; /* of loading; then of the engine that answered, too */
    Stats stats_of[MOST_RUNNERS];
    double more_of[MOST_RUNNERS]; /* seconds that others have left to it */
    const char *phase;            /* a literal */
} Shared;

/* What became of the witness of --check-witness. */
typedef enum Standing { STANDING_OPEN, STANDING_CONFIRMED, STANDING_REFUSED } Standing;

typedef struct Job {
    const Options *options;
    double start, deadline;
    Question question;
    unsigned properties;  /* all that are asked for in this run: bit p is property p */
    int kept;             /* a file in memory: what clang made for one property is there for the others; 0: none */
    const Engine *engine; /* the one named, or the one that answered; NULL: none supports the property */
    bool automatic;       /* all that support the property take part */
    unsigned jobs;        /* processors to be used */
    unsigned processors;  /* that there are */
    Shared *shared;
    Stats loaded; /* counted of the program itself */
    int terminal; /* where progress goes, or -1 */
    int log;      /* what is being done, likewise */
    const Program *program;
    const Witnesses *witnesses; /* to be checked; NULL: none */
    Standing standing;
    Witnesses *claims;     /* invariants for a witness of ours; NULL: none */
    char refused[200];     /* why it is, if that is known before the program is looked at */
    const Delays *delays;  /* of a program under TSO, which may be another one by now; NULL: not known */
    const Prepared *asked; /* no-data-race: as a question about errors; NULL: another property */
} Job;

/* What is being done now. */
void job_phase(Job *, const char *name);
/* A line for the terminal, if there is one. context: a Job. */
void job_progress(void *context, const char *line);
/* What a child said on stderr that explains nothing, unless it is a sanitizer that says it. */
void job_said(const Job *, const Buf *errors);
/* Somebody wants to see, or to check again, what is to be proved. */
bool job_wants_obligations(const Job *);
uint64_t job_memory(const Job *); /* bytes */
/* That the time is over: of the run, or what this property had of it. */
void job_put_time_limit(const Job *, Buf *);

#endif
