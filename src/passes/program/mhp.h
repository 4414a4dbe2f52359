/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the accesses of different threads that may happen in parallel: no lock, creation or join orders them. */
#pragma once
#include "analysis/delays.h"
#include "analysis/race_model.h"

typedef struct Mhp Mhp;
/* Analyses the program. All accesses count as plain accesses under sequential consistency. Returns NULL if a guard reads a shared variable. */
Mhp *mhp_new(const Program *);
void mhp_free(Mhp *);
/* True if the two actions may access the same place, and nothing orders them. An action is given by its template and number. context: a Mhp. */
bool mhp_in_parallel(const void *context, unsigned template_, unsigned action, unsigned other_template, unsigned other);

/* Returns the stores whose delay other threads may observe. Computes the accesses that may happen in parallel only if a result without them has
   such a store. */
StoreDelays *mhp_delays(const Program *);

/* Returns the race proof of the program with all its facts, or NULL if a guard reads a shared variable. Changes the program: loops that create or
   join threads are unrolled, and each thread gets its own template, unless the program would get too large. fresh: see race_model. */
RaceProof *prove_race_free(Program *, bool fresh);
