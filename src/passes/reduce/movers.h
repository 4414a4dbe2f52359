/* SPDX-License-Identifier: Apache-2.0 */
/* Lipton's movers for every transition of a system: with which transitions of other threads does it commute?
   A right mover can be put off past whatever another thread does next; a left mover can be done before whatever another
   thread did last. See doc/rules.md, "Movers". */
#pragma once
#include "smt/smt.h"
#include "result/proof.h"

typedef struct Movers {
    uint8_t **kind;   /* by thread, by transition */
    unsigned ***held; /* by thread, by location: a vec of the variables whose mutex the thread holds */
    /* by thread, by location: those mutexes are its own, and threads that cannot run then do not */
    const Expr ***facts;
    uint64_t pairs, by_locks, by_solver; /* statistics: pairs in conflict, and what settled them */
} Movers;

/* There is a word on every transition, and a fact on every location, which is a formula. */
bool movers_valid(const System *, const Movers *);
/* relevant (by variable): two orders need to agree on these alone (system_relevant); NULL: on all. */
Movers *movers_new(const System *, Smt *, const bool *relevant);
void movers_forget(Movers *); /* nothing moves any more; facts and mutexes held stay */
void movers_free(const System *, Movers *);
bool movers_holds(const Movers *, unsigned thread, unsigned location, unsigned variable);
const char *mover_text(uint8_t kind); /* "both", "right", "left", "none" */
