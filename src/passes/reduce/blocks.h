/* SPDX-License-Identifier: Apache-2.0 */
/* Finds reducible blocks: other threads may run while a thread is at an Out location, and need not run while it is at an In location.
   The definition in doc/rules.md, "Blocks", follows Section V-B of Popeea, Rybalchenko and Wilhelm, "Reduction for
   Compositional Verification of Multi-Threaded Programs". */
#pragma once
#include "passes/reduce/movers.h"

typedef struct Blocks {
    /* All members are by thread and location. */
    bool **out; /* other threads may run here */
    /* Paths are cut here. Each Out location is a stop; In locations are chosen so that each cycle has a stop and few paths lead from stop to
       stop. */
    bool **stop;
    unsigned **blocked; /* 1 if some state may enable no transition here */
} Blocks;

/* True if each location of the system has its entries, and each Out location is a stop. */
bool blocks_valid(const System *, const Blocks *);
/* Returns the blocks of the system, in which each loop has an Out location. Without movers (NULL) there is no reduction: all locations are Out
   except those inside atomic sections. */
Blocks *blocks_new(const System *, Smt *, const Movers *);
/* Does the same, but a block may contain a loop before its commit. */
Blocks *blocks_with_loops(const System *, Smt *, const Movers *);
void blocks_free(const System *, Blocks *);
/* Prints the system with its blocks, movers and held mutexes, for display. Blocks may be NULL. */
void blocks_print(Buf *, const System *, const Movers *, const Blocks *);
