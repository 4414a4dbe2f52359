/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a proof for the reader: the invariants at places in the source, the blocks, and why loops end. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* Adds the proof, with formulas over the program's own variables in C syntax. Without `all`, only the first short ones are added. */
void invariants_text(Buf *, const Proof *, bool all);

/* Removes from printed formulas the suffixes (#2) that make symbols of one name different. */
void invariants_clean(Buf *);
/* Adds the place of each thread at a node of the proof. */
void invariant_place(Buf *, const Display *, const Proof *, const ProofNode *);
