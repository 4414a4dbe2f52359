/* SPDX-License-Identifier: Apache-2.0 */
/* Makes candidates for the invariants of our own witness: formulas of a proof, as expressions of C. Each candidate must be checked. */
#pragma once
#include "ir/program.h"
#include "witness/witness.h"

/* Adds the invariants of a proof. view: the proof by places, as JSON (explain/proof_view.h). The arena owns all texts, and the caller
   owns the vecs. */
void invariants_of_view(Witness *, Arena *, const Program *, const char *view);
/* Adds ghost variables that record whether a mutex is held. A mutex gets one if the text locks and unlocks it by statements of their
   own. */
void invariants_ghosts(Witness *, Arena *, const char *file, const char *text);
/* Weakens the invariant to states in which no mutex with a ghost variable is held. Returns false if there is no ghost variable, or the
   invariant has this form already. */
bool invariants_weaken(const Witness *, Arena *, Invariant *);
/* Removes ghost variables that no invariant mentions. */
void invariants_tidy(Witness *);
