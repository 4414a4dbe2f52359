/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the movers of a system, after Lipton: transitions that commute with all transitions of other threads. A right mover can be moved to the
   right, past the next step of another thread. A left mover can be moved to the left, before the last step of another thread. See doc/rules.md,
   "Movers". */
#pragma once
#include "smt/smt.h"
#include "result/proof.h"

typedef struct Movers {
    uint8_t **kind;   /* by thread and transition: MOVES_RIGHT, MOVES_LEFT, both or 0 */
    unsigned ***held; /* by thread and location: a vec of the mutex variables that the thread holds */
    /* by thread and location: a formula that holds there. The formula states that the thread owns the held mutexes, that certain threads do not run,
       and the constants of variables that joins depend on. */
    const Expr ***facts;
    uint64_t pairs, by_locks, by_solver; /* statistics: the pairs in conflict; those that commute by locks, and by Z3 */
} Movers;

/* True if each transition has a kind, and each location has a list of mutexes and a fact, which is a formula. */
bool movers_valid(const System *, const Movers *);
/* Returns the movers of the system. relevant: by variable, the two orders of a pair must agree on it (system_relevant); NULL: on all variables. */
Movers *movers_new(const System *, Smt *, const bool *relevant);
void movers_clear(Movers *); /* makes each transition a non-mover; keeps the facts and the held mutexes */
void movers_free(const System *, Movers *);
/* True if the thread holds the mutex variable at the location. */
bool movers_holds(const Movers *, unsigned thread, unsigned location, unsigned variable);
const char *mover_text(uint8_t kind); /* returns "both", "right", "left" or "none" */
