/* SPDX-License-Identifier: Apache-2.0 */
/* Runs work in a child process, under limits of time and memory. The child sends text through a pipe. The parent survives every end of
   the child (crash, limit, interrupt) and learns which it was. No process that the child started outlives it. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum Ending {
    ENDING_EXIT,  /* code is the result of the work */
    ENDING_CRASH, /* code is the signal */
    ENDING_TIMEOUT,
    ENDING_MEMORY,
    ENDING_NO_RESOURCES, /* not started, or ended by out_of_resources: the last line of stderr names what is missing */
    ENDING_INTERRUPT     /* this process got a signal to stop: code is the signal */
} Ending;

typedef struct ChildLimits {
    double deadline; /* on the clock of clock_seconds() */
    uint64_t memory; /* bytes, for each process; 0: no limit */
    bool group;      /* the child leads a process group, which is killed as a whole */
    bool capture;    /* stderr is collected, not shown */
} ChildLimits;

typedef struct ChildResult {
    Ending ending;
    int code;
} ChildResult;

/* A child that may still be running. */
typedef struct Child {
    ChildLimits limits;
    int pid, pipe, error_fd; /* pid -1: not started; error_fd: the read end of its stderr, or -1 */
    bool output_ended;       /* the end of its output has arrived */
    bool (*is_complete_answer)(
        const Buf *out);  /* for a child that answers several times: returns whether `out` has a complete answer; NULL: it answers once */
    Buf out, stderr_text; /* its output so far, on stdout and stderr */
} Child;

/* Starts the work in a child, which gets the streams. Follow it by child_finish. */
void child_start(Child *, const ChildLimits *, int (*work)(void *context, FILE *out), void *context);
/* Waits until a child is done or has reached its deadline, or a signal to stop arrives. Returns the index of that child, and n if the
   time `until` came first. */
size_t children_wait(Child *const *, size_t n, double until);
/* Kills the child without waiting for its end, so that several children end at the same time. Follow it by child_finish. */
void child_kill(const Child *);
/* Ends the child, whether or not it is done. Adds its output to *out, and its stderr, if captured, to *errors (may be NULL). */
ChildResult child_finish(Child *, Buf *out, Buf *errors);
/* Starts a child, waits for it and finishes it. */
ChildResult child_run(const ChildLimits *, int (*work)(void *context, FILE *out), void *context, Buf *out, Buf *errors);
/* Returns the last line of a child's stderr, without our own prefix. The line belongs to *errors, which is cut. */
const char *last_error_line(Buf *errors);
/* Returns what was missing if the machine caused a crash, not the program; otherwise NULL. */
const char *crash_reason(ChildResult, const Buf *errors);
/* Prepares this process. Closed standard streams are opened as streams that fail, so that no other file takes their place. A pipe
   without a reader, and a file that may not grow, become errors of the writer instead of ending it. */
void child_prepare(void);
/* Makes SIGINT, SIGTERM, SIGHUP and SIGALRM end this and every later wait, with ENDING_INTERRUPT. */
void child_catch_signals(void);
