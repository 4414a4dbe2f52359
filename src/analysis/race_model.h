/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the model of locks and threads over which race freedom is proved (result/race_proof.h). */
#pragma once
#include "result/race_proof.h"
#include "result/translation.h"

/* Returns the model without facts, or NULL if a guard reads a global variable. Names belong to the program, which must outlive the model.
   The translation leads from actions of the program to actions of the original program. If fresh, accesses to an object that only its own
   thread knows do not count: they happen before other threads learn its address. */
RaceProof *race_model(Program *, const Translation *, bool fresh);
/* Adds all facts that hold. */
void race_find_facts(RaceProof *);
