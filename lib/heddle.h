/* SPDX-License-Identifier: Apache-2.0 */
/* libheddle verifies programs from within another program. It runs the program heddle in a process, so that no failure there can end or
   disturb the caller, and returns the answers as structs.
   A text belongs to the object from which it is reached. Functions that return int return 0 on success, and -1 with errno otherwise. */
#ifndef HEDDLE_H
#define HEDDLE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum HeddleVerdict { HEDDLE_SAFE = 0, HEDDLE_UNSAFE = 1, HEDDLE_UNKNOWN = 2 } HeddleVerdict;

typedef struct HeddlePlace {
    const char *file; /* NULL: the place is unknown */
    unsigned line, column;
    const char *function; /* NULL: the function is unknown */
} HeddlePlace;

typedef struct HeddleAccess {
    const char *kind;                  /* read, write, lock, unlock, alloc, free, create or join */
    const char *name, *value, *before; /* NULL: not given */
    unsigned thread;                   /* for create and join: the thread that is created or joined */
    int shared, input, failed;
} HeddleAccess;

typedef struct HeddleStep {
    unsigned thread; /* counted from 1, which is main */
    HeddlePlace place;
    size_t naccesses;
    const HeddleAccess *accesses;
} HeddleStep;

typedef struct HeddleResult {
    HeddleVerdict verdict;
    const char *property, *engine;
    double seconds;
    const char *assuming; /* the assumptions on which the verdict depends; NULL: none */
    const char *reason;   /* why the verdict is UNKNOWN */
    HeddlePlace reason_place;
    size_t nthreads, nsteps; /* of the trace; 0 without a trace */
    const char *const *threads;
    const HeddleStep *steps;
    const char *error; /* what is violated; NULL: there is no trace */
    HeddlePlace error_place;
    const char *invariants; /* the invariants of a proof, for display; NULL: none */
    unsigned long long states, obligations;
    size_t nnotes;
    const char *const *notes;
    const char *witness; /* for --check-witness: CONFIRMED, REFUSED or UNKNOWN; NULL: no witness was checked */
} HeddleResult;

typedef struct HeddleRun {
    int code; /* the exit code of heddle; 3: bad input, 4: internal error */
    size_t nresults;
    const HeddleResult *results; /* one for each property, or with all-violations one for each violation */
    const char *message;         /* the output on stderr; "" if it is empty */
    const char *json;            /* the whole output as JSON; NULL if heddle printed none */
} HeddleRun;

typedef struct Heddle Heddle;

Heddle *heddle_new(void);
void heddle_free(Heddle *);
/* Sets the program to run. Without this call, heddle_run takes $HEDDLE, or else heddle from the PATH. */
int heddle_program(Heddle *, const char *path);
/* Adds an option of the command line. Its name has no dashes, and its value may be NULL: ("timeout", "10"), ("may-fail", NULL). Returns
   -1 with errno EINVAL for options that would print something else than the answer: json (which heddle_run sets), help, version, suite,
   slurm, harness and dump-…. */
int heddle_option(Heddle *, const char *name, const char *value);
int heddle_clang_flag(Heddle *, const char *flag);
int heddle_file(Heddle *, const char *path);
/* Adds a file by its text. The file need not exist. The name has no folder; places in the answer use it. */
int heddle_source(Heddle *, const char *name, const char *text);
/* Runs heddle until it ends. Returns NULL and sets errno if heddle could not be started. Release the result with heddle_run_free. */
HeddleRun *heddle_run(const Heddle *);
void heddle_run_free(HeddleRun *);

#ifdef __cplusplus
}
#endif
#endif
