/* SPDX-License-Identifier: Apache-2.0 */
/* Reducible blocks: which locations of a thread need no preemption (In), and which do (Out).
   See doc/rules.md, "Blocks", and Section V-B of the RedComp paper. */
#pragma once
#include "passes/reduce/movers.h"

typedef struct Blocks {
    bool **out;         /* by thread, by location: others may run here */
    bool **stop;        /* Out, or a place where a run of the thread is cut although nobody else may run: where a block loops
                    (inside an atomic section) or branches too much to be taken path by path */
    unsigned **blocked; /* by thread, by location: 1 if some state there enables no transition */
} Blocks;

/* There is a word on every location, and runs are cut wherever others may run. */
bool blocks_valid(const System *, const Blocks *);
/* movers NULL: no reduction, every location is Out but those inside C's atomic sections. */
Blocks *blocks_new(const System *, Smt *, const Movers *);
/* Blocks that may loop before their commit; the others have every loop's head Out. */
Blocks *blocks_with_loops(const System *, Smt *, const Movers *);
void blocks_free(const System *, Blocks *);
/* The system with its blocks, movers and mutexes held, for display. Blocks may be missing (NULL). */
void blocks_print(Buf *, const System *, const Movers *, const Blocks *);
