/* SPDX-License-Identifier: Apache-2.0 */
/* Work in a child process under a time and memory limit. The child hands back text through a pipe; whatever happens to
   it (crash, limit, interrupt) the parent lives on and knows. Nothing that the child started outlives it. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum Ending {
    ENDING_EXIT,  /* code is what work returned */
    ENDING_CRASH, /* code is the signal */
    ENDING_TIMEOUT,
    ENDING_MEMORY,
    ENDING_LACK,     /* it could not be started, or called out_of_resources: its last words say what is missing */
    ENDING_INTERRUPT /* we were told to stop: code is the signal */
} Ending;

typedef struct ChildLimits {
    double deadline; /* on the clock of clock_seconds() */
    uint64_t memory; /* bytes, for each process; 0: no limit */
    bool group;      /* the child leads a process group, which is killed as a whole */
    bool capture;    /* what it says on stderr is collected, not shown */
} ChildLimits;

typedef struct ChildResult {
    Ending ending;
    int code;
} ChildResult;

/* A child at work. */
typedef struct Child {
    ChildLimits limits;
    int pid, pipe, errors;         /* pid -1: it could not be started; errors: its stderr, or -1 */
    bool whole;                    /* all it had to say has arrived */
    bool (*frame)(const Buf *out); /* of a child that answers several times: is an answer there? NULL: it answers once */
    Buf out, said;                 /* said: on stderr */
} Child;

/* Starts work in a child; the streams are the child's. */
void child_start(Child *, const ChildLimits *, int (*work)(void *context, FILE *out), void *context);
/* Waits until one of them is done, or at its deadline, or we are told to stop: its index. n: the time `until` came first. */
size_t children_wait(Child *const *, size_t n, double until);
/* It is told to be gone, soon; to be followed by child_finish. Of several, they go at once. */
void child_kill(const Child *);
/* The child is gone, whether or not it was done. Its text arrives in *out, its stderr (if captured) in *errors. */
ChildResult child_finish(Child *, Buf *out, Buf *errors);
/* All of this, for one child. */
ChildResult child_run(const ChildLimits *, int (*work)(void *context, FILE *out), void *context, Buf *out, Buf *errors);
/* The last line of what a child said on stderr, without our own prefix. Cuts the text. */
const char *last_words(Buf *errors);
/* A crash that is the machine's fault, not the program's: what was missing, or NULL. */
const char *crash_reason(ChildResult, const Buf *errors);
/* Standard streams that are closed become ones that fail, so that no other file takes their place; a pipe without a reader and a file
   that may not grow are errors of the writer, not its end. */
void child_prepare(void);
/* From now on SIGINT, SIGTERM, SIGHUP and SIGALRM end the waiting, and every later one, with ENDING_INTERRUPT. */
void child_catch_signals(void);
