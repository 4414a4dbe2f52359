/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants of a witness as assertions in the text of the program. */
#ifndef HEDDLE_WITNESS_INSTRUMENT_H
#define HEDDLE_WITNESS_INSTRUMENT_H
#include "witness/witness.h"

/* What the name of an assertion of ours ends with. */
#define INVARIANT_MARK " (an invariant of the witness)"

/* The text of the file with its invariants as assertions, and its ghost variables; every line keeps its number. ghosts: they are declared in this one.
   False: *why says which cannot be put where it belongs. */
bool instrument(Buf *out, const char *file, const char *text, const Witness *, bool ghosts, Buf *why);

#endif
