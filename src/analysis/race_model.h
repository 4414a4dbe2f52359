/* SPDX-License-Identifier: Apache-2.0 */
/* What a program does with locks and threads, as the proof that its accesses do not race sees it. */
#pragma once
#include "result/race_proof.h"
#include "result/translation.h"

/* The program, and how its actions come from those of the program that is meant. Facts are not there yet. NULL: it cannot be said. Names are those of the
   program, which must live on. fresh: what a thread does to an object that only it knows is done when others get to know it. */
RaceProof *race_model(Program *, const Translation *, bool fresh);
/* The most facts that hold. */
void race_find_facts(RaceProof *);
