/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants of a witness as assertions in the text of the program. */
#pragma once
#include "witness/witness.h"

/* What the name of an assertion of ours ends with. */
#define INVARIANT_MARK " (an invariant of the witness)"

/* What an invariant's value is kept in. */
#define INVARIANT_VARIABLE "__heddle_holds"
/* What an error says where an expression of the witness is not defined. */
#define UNDEFINED_MARK "an expression of the witness is undefined"

/* Text that is the witness's, as lines and columns of the text that was made. */
typedef struct Inserted {
    const char *file;
    unsigned line, column, length;
} Inserted;

/* The text of the file with its invariants as assertions, and its ghost variables; every line keeps its number. ghosts: they are declared in this one.
   *inserted: a vec, grows by where they are, from left to right. False: *why says which cannot be put where it belongs. */
bool instrument(Buf *out, const char *file, const char *text, const Witness *, bool ghosts, Inserted **inserted, Buf *why);
