/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an engine in a child process, and then the check of its proof in another child. */
#pragma once
#include "passes/route.h"
#include "process/child.h"
#include "process/config.h"

enum { MOST_WORKERS = 20 };

/* Results that workers write to memory shared with their parent, and time that the parent gives them. */
typedef struct WorkerBoard {
    Stats stats[MOST_WORKERS];
    double extra_seconds[MOST_WORKERS]; /* by place: seconds added to the worker's deadline */
} WorkerBoard;

/* The task of the engines. */
typedef struct Work {
    const char *plan; /* names the program among those of the question */
    const Config *config;
    const Question *question;
    Route *route; /* makes the programs that engines get */
    bool deepens; /* store buffers become deeper until more depth changes nothing */
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
    unsigned place;          /* its index on the board */
    bool restarted;          /* it has crashed once and was started again */
    bool searches_assertion; /* it only searches for an execution that reaches an assertion */
    bool simulates_only;     /* it tries only random executions */
    bool halted;             /* its process is suspended, since other workers have their turn */
    bool too_large;          /* it was stopped because all workers together used too much memory */
    uint64_t seed_offset;
    Verdict *claim; /* the engine's verdict while its proof is being checked in another process; otherwise NULL */
    Child child;
} Worker;

/* Returns a worker for that place on the board, with a share of the remaining time. */
Worker worker_new(const Work *, const Engine *, unsigned place, double share);
/* Starts the engine. The worker must not be moved before it has started. */
void worker_start(Worker *);
/* Returns the engine's verdict, translated back and accepted or refused (check/accept.h), or UNKNOWN with the reason of a failure.
   Returns NULL if the worker continues: its proof is being checked, or its engine crashed and was started again. */
Verdict *worker_finish(Worker *);
/* Suspends or resumes its process. */
void worker_halt(Worker *, bool halt);
/* Returns roughly how many bytes of memory the worker uses beyond those of this process. */
uint64_t worker_memory(const Worker *);
/* Kills it and discards its result. */
void worker_stop(Worker *);
/* Starts the check of a claim of a certificate in place of the engine. */
void worker_check(Worker *, Verdict *claim);
/* Puts the claim of a SAFE verdict before its obligations, if a certificate is wanted. */
Verdict *work_certify(const Work *, Verdict *);
/* Returns the key of the claims about the work's program; the caller frees it. */
Buf work_key(const Work *);
/* Starts a worker, waits for it and returns its verdict. */
Verdict *worker_run(Worker *);
Stats *worker_stats(const Worker *);
/* Moves its deadline to a later time. */
void worker_extend(Worker *, double deadline);
