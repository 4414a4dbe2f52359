/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the runtime of `heddle run` writes about a campaign (run/result.c). */
#pragma once
#include "base/buf.h"
#include "base/vec.h"
#include <stdint.h>

typedef enum RunEvent {
#define EVENT(name, word) RUN_##name,
#include "run/event.def"
#undef EVENT
    NRUNEVENTS
} RunEvent;

typedef enum RunOutcome {
#define OUTCOME(name, property, word, text) RUN_END_##name,
#include "run/outcome.def"
#undef OUTCOME
    NRUNOUTCOMES
} RunOutcome;

typedef struct RunStep {
    unsigned thread; /* from 0 */
    RunEvent kind;
    uint64_t pc, address;
    unsigned size;
    bool write, has_value, flag; /* flag: a try that failed, a wait that expired */
    uint64_t value, before;
    unsigned other;
    uint64_t *calls; /* a vec: the places of the calls that lead here, the innermost first */
} RunStep;

typedef struct RunViolation {
    char *property, *strategy, *text, *replay;
    RunOutcome outcome;
    uint64_t run, seed, switches, cut; /* cut: the number of steps before the first one below */
    unsigned thread, other;
    uint64_t pc, address, other_pc;
    unsigned size, other_size;
    bool write, other_write;
    RunStep *steps; /* a vec */
} RunViolation;

typedef struct RunModule {
    uint64_t from, to;
    char *path; /* "." is the program */
} RunModule;

typedef struct RunResult {
    char *program;
    uint64_t runs, orders, unfinished, threads, events;
    RunOutcome reason;   /* of the runs that did not finish, and … */
    uint64_t reason_run; /* … the number of the first of them */
    bool replayed, same, complete;
    RunModule *modules;       /* a vec */
    RunViolation *violations; /* a vec */
} RunResult;

/* Reads a result. Returns false if the text is not one. */
bool run_result_read(const char *text, RunResult *);
void run_result_free(RunResult *);
/* Returns an outcome in words, such as "a deadlock". */
const char *run_outcome_text(RunOutcome);
