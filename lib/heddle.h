/* SPDX-License-Identifier: Apache-2.0 */
/* libheddle: verify a program from another one. It runs the program heddle, so that nothing that happens there can end or disturb the caller; what it
   answers is given as structs. All texts belong to the object they are reached from. Functions that return int return 0 if all is well. */
#ifndef HEDDLE_H
#define HEDDLE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum HeddleVerdict { HEDDLE_SAFE = 0, HEDDLE_UNSAFE = 1, HEDDLE_UNKNOWN = 2 } HeddleVerdict;

typedef struct HeddlePlace {
    const char *file; /* NULL: nowhere */
    unsigned line, column;
    const char *function; /* NULL: not known */
} HeddlePlace;

typedef struct HeddleAccess {
    const char *kind;                  /* read write lock unlock alloc free create join */
    const char *name, *value, *before; /* NULL: there is none */
    unsigned thread;                   /* of create and join: the other one */
    int shared, input, failed;
} HeddleAccess;

typedef struct HeddleStep {
    unsigned thread; /* from 1: main */
    HeddlePlace place;
    size_t naccesses;
    const HeddleAccess *accesses;
} HeddleStep;

typedef struct HeddleResult {
    HeddleVerdict verdict;
    const char *property, *engine;
    double seconds;
    const char *assuming; /* what it takes for granted; NULL: nothing */
    const char *reason;   /* of UNKNOWN */
    HeddlePlace reason_place;
    size_t nthreads, nsteps; /* of a trace, if there is one */
    const char *const *threads;
    const HeddleStep *steps;
    const char *error; /* what is violated; NULL: there is no trace */
    HeddlePlace error_place;
    const char *invariants; /* of SAFE by a proof: for display; NULL: none */
    unsigned long long states, obligations;
    size_t nnotes;
    const char *const *notes;
    const char *witness; /* CONFIRMED, REFUSED or UNKNOWN: what became of the one of --check-witness; NULL: none was checked */
} HeddleResult;

typedef struct HeddleRun {
    int code; /* the exit code of heddle; 3: bad input, 4: internal error */
    size_t nresults;
    const HeddleResult *results; /* one for each property; with all-violations, for each violation */
    const char *message;         /* what was said on stderr; "" if nothing */
    const char *json;            /* all of it as it came; NULL if none came */
} HeddleRun;

typedef struct Heddle Heddle;

Heddle *heddle_new(void);
void heddle_free(Heddle *);
/* The program to run; without it that is $HEDDLE, or heddle in the PATH. */
int heddle_program(Heddle *, const char *path);
/* An option by its name on the command line, without the dashes: ("property", "no-data-race"), ("timeout", "10"); ("may-fail", NULL).
   -1 with errno EINVAL for those that would leave no answer here: json (which is used), help, version, suite, slurm, harness and dump-…. */
int heddle_option(Heddle *, const char *name, const char *value);
int heddle_clang_flag(Heddle *, const char *flag);
int heddle_file(Heddle *, const char *path);
/* A file that need not exist: its name (no path), which places have, and its text. */
int heddle_source(Heddle *, const char *name, const char *text);
/* Runs to the end. NULL: heddle could not be started, and errno says why. What it says is for heddle_run_free. */
HeddleRun *heddle_run(const Heddle *);
void heddle_run_free(HeddleRun *);

#ifdef __cplusplus
}
#endif
#endif
