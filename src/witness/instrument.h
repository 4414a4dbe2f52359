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

/* ---- clean.c: the text of a program as far as statements go ---- */
/* The text with blanks instead of comments and directives, and something instead of literals; to be freed. */
char *clean_text(const char *text);
/* The columns of the statement of the spot's line that its column is in become those of the spot. False: the line has no such column. */
bool clean_extent(const char *text, Spot *);

/* ---- inserted.c: what was made of the text of a witness, in the program that was made of the text with it ---- */
/* Is it in the text of the witness? The first argument is a vec of Inserted. */
bool inserted_has(const void *inserted, Position);
/* It does nothing but evaluate expressions, and change ghost variables. */
bool inserted_is_expressions(const Program *, const Inserted *, const Witness *);
/* Columns become those of the text without it. */
void inserted_forget(Program *, const Inserted *);
