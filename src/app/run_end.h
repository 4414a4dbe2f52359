/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the end of a counterexample of `heddle run`: what is violated, and where. */
#pragma once
#include "app/run_result.h"
#include "app/run_symbols.h"
#include "explain/counterexample.h"

enum { MOST_CALLERS = 3 };     /* as many are shown */
enum { MOST_SHOWN_CALLS = 6 }; /* as many as the runtime records */

typedef struct RunBlock {
    uint64_t address, size;
    unsigned number; /* 0: it has no name yet */
} RunBlock;

typedef struct RunExplainer {
    const RunViolation *v;
    Counterexample *c;
    RunSymbols *symbols;
    struct Touched *touched; /* a vec: a hash table of the words that are accessed */
    RunBlock *blocks;        /* a vec: in order of allocation */
    size_t first;            /* race: the number of lines up to the first access … */
    size_t first_step;       /* … and its step */
    unsigned named;          /* the number of blocks that have a name */
    bool all;                /* show all steps */
    size_t shown;            /* the step that the last event shows */
} RunExplainer;

/* Returns a name for the memory at an address: a global variable, or a heap block by its number. */
const char *run_name(RunExplainer *, uint64_t address);
/* Returns the callers of a function: "push:28 ← main:40"; NULL if it has none. */
const char *run_callers(RunExplainer *, const uint64_t *calls);
/* Asks for the symbols that the end needs. */
void run_ask_waits(RunExplainer *);
/* Adds the end to the counterexample. */
void run_describe_end(RunExplainer *);
