/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an engine in a process of its own, and then the check of its proof in another. */
#pragma once
#include "passes/route.h"
#include "process/child.h"
#include "process/config.h"

enum { MOST_WORKERS = 20 };

/* What workers leave to the process that started them, in memory that they share. */
typedef struct WorkerBoard {
    Stats stats[MOST_WORKERS];
    double more[MOST_WORKERS]; /* seconds that others have left to it */
} WorkerBoard;

/* What engines are to do. */
typedef struct Work {
    const Config *config;
    const Question *question;
    Route *route; /* to the programs that engines get */
    bool deepens; /* store buffers become deeper until that changes nothing */
    TimeSlot time;
    WorkerBoard *board;
} Work;

WorkerBoard *board_new(void);
void board_free(WorkerBoard *);

typedef struct Worker {
    const Work *work;
    const Engine *engine;
    EngineOptions options;
    double deadline;
    unsigned place; /* its own, on the board */
    bool again;     /* it crashed before */
    bool glance;    /* it looks only for an execution that reaches an assertion */
    bool hunts;     /* it tries only executions at random */
    bool halted;    /* others have their turn */
    bool too_large; /* it was stopped because all together have too much memory */
    uint64_t seed_offset;
    Verdict *claim; /* it has answered, with a proof: that is being checked, in another process */
    Child child;
} Worker;

/* Makes a worker for that place, with a share of the time that is left. */
Worker worker_new(const Work *, const Engine *, unsigned place, double share);
/* Starts it. It must not move in memory before it has started. */
void worker_start(Worker *);
/* Returns what the engine said, translated back and accepted or refused (check/accept.h), or what became of it. NULL: it goes on, since its
   proof is yet to be checked, or it crashed and was started again. */
Verdict *worker_finish(Worker *);
/* Suspends or resumes its process. */
void worker_halt(Worker *, bool halt);
/* Returns about how many bytes of memory it has for itself. */
uint64_t worker_memory(const Worker *);
/* Kills it and discards its result. */
void worker_stop(Worker *);
/* Does all of this for one worker, from its start to its end. */
Verdict *worker_run(Worker *);
Stats *worker_stats(const Worker *);
/* Gives it more time. */
void worker_extend(Worker *, double deadline);
