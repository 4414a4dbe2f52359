/* SPDX-License-Identifier: Apache-2.0 */
/* An engine at work, in a process of its own. */
#ifndef HEDDLE_PROCESS_RUNNER_H
#define HEDDLE_PROCESS_RUNNER_H
#include "process/child.h"
#include "process/job.h"

typedef struct Runner {
    Job *job;
    const Engine *engine;
    EngineOptions options;
    double deadline;
    unsigned place; /* its own, among those in shared memory */
    bool again;     /* it crashed before */
    bool glance;    /* only for an execution that reaches an assertion */
    bool hunts;     /* only executions at random */
    bool halted;    /* others have their turn */
    bool too_large; /* it was stopped because all together have too much memory */
    uint64_t luck;  /* added to the seed */
    Verdict *claim; /* it has answered, with a proof: that is being checked, in another process */
    Child child;
} Runner;

/* One with the options of the job, at that place, for a share of the time that is left. */
Runner runner_new(Job *, const Engine *, unsigned place, double share);
/* The runner stays where it is until it has started. */
void runner_start(Runner *);
/* What the engine said, or what became of it. NULL: it goes on, since its proof is yet to be checked, or it crashed and was started again. */
Verdict *runner_finish(Runner *);
/* Somebody else's turn, or its own again. */
void runner_halt(Runner *, bool halt);
/* Bytes of memory that it has for itself, more or less. */
uint64_t runner_memory(const Runner *);
/* Nobody wants to know. */
void runner_stop(Runner *);
/* From the start to the end. */
Verdict *runner_run(Runner *);
Stats *runner_stats(const Runner *);
/* More time than it was given. */
void runner_extend(Runner *, double deadline);

#endif
