/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* The invariants of a proof over the program's own variables, in C syntax; the most telling ones only, unless all. */
void invariants_text(Buf *, const Proof *, bool all);

/* Formulas as they were printed, without what tells symbols apart that have one name. */
void invariants_clean(Buf *);
/* Where each thread is. */
void invariant_place(Buf *, const Display *, const Proof *, const ProofNode *);
