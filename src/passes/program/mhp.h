/* SPDX-License-Identifier: Apache-2.0 */
/* Which accesses of different threads locks, creation and joins do not keep apart. */
#pragma once
#include "analysis/delays.h"
#include "analysis/race_model.h"

typedef struct Mhp Mhp;
/* Whatever their orders, accesses count as plain. NULL: it cannot be said. */
Mhp *mhp_new(const Program *);
void mhp_free(Mhp *);
/* May these actions, by template and number, access the same place with nothing that orders them? context: a Mhp. */
bool mhp_may(const void *context, unsigned template_, unsigned action, unsigned other_template, unsigned other);

/* Which stores may be late; what is kept apart is looked at only if there is need to. */
StoreDelays *mhp_delays(const Program *);

/* Of a program that is changed: loops that create or join threads are unrolled, each thread has a template of its own, unless that gets too large. With
   its facts; NULL: it cannot be said. fresh: see race_model. */
RaceProof *prove_race_free(Program *, bool fresh);
