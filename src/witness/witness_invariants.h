/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants for a witness of ours: what a proof says of places, as expressions of C. Candidates only: each has to be checked. */
#pragma once
#include "ir/program.h"
#include "witness/witness.h"

/* view: the proof by places (explain/proof_view.h). Everything lives in the arena; vecs are the caller's. */
void invariants_of_view(Witness *, Arena *, const Program *, const char *view);
/* Ghost variables that say whether mutexes are taken: of those that the text locks and unlocks by statements of their own. */
void invariants_ghosts(Witness *, Arena *, const char *file, const char *text);
/* The invariant where no mutex with a ghost is taken; false: there is none, or it is so already. */
bool invariants_weaken(const Witness *, Arena *, Invariant *);
/* Ghosts that no invariant speaks of are left out. */
void invariants_tidy(Witness *);
