/* SPDX-License-Identifier: Apache-2.0 */
/* Inserts the invariants of a witness into the text of the program as assertions. */
#pragma once
#include "witness/witness.h"

/* the end of the name of an inserted assertion */
#define INVARIANT_MARK " (an invariant of the witness)"

/* the variable that holds an invariant's value */
#define INVARIANT_VARIABLE "__heddle_holds"
/* begins the names of ghost variables in inserted text */
#define GHOST_PREFIX "__heddle_ghost_"
/* the error text for an undefined expression of the witness */
#define UNDEFINED_MARK "an expression of the witness is undefined"

/* a piece of inserted text, by line and column of the new text */
typedef struct Inserted {
    const char *file;
    unsigned line, column, length;
    unsigned last_line, last_column; /* for an update of a ghost variable: where its statement ends; 0: this is no update */
} Inserted;

/* Adds the text of the file with the invariants of the witness as assertions, and with its ghost variables. Every line keeps its number.
   ghosts: this file defines the ghost variables. *inserted, a vec, grows by the inserted pieces, from left to right. Returns false if an
   invariant cannot be inserted at its place; *why then names it. *limited: Heddle cannot insert it, but it may be right. */
bool instrument(Buf *out, const char *file, const char *text, const Witness *, bool ghosts, Inserted **inserted, Buf *why, bool *limited);

/* ---- clean.c: the structure of statements in a text ---- */
/* Returns the text, malloced, with blanks for comments and directives, and zeros for literals. */
char *clean_text(const char *text);
/* Sets the columns of the spot to those of the statement that its column lies in. Returns false if the line has no such column. */
bool clean_extent(const char *text, Spot *);
/* Finds the condition and the body of the if, while or for at the spot of the branch. Without such a statement, both stay unknown. */
void clean_branch(const char *text, ClaimedWaypoint *);
/* Returns whether the line is in a function and has more than braces. */
bool clean_has_statement(const char *text, unsigned line);

/* ---- inserted.c: inserted text in the program that was made from it ---- */
/* Returns the inserted piece that the position lies in, or NULL. */
const Inserted *inserted_at(const Inserted *, Position);
/* Returns whether the position lies in inserted text. The first argument is a vec of Inserted. */
bool inserted_has(const void *inserted, Position);
bool inserted_same_file(const Inserted *, const Position *);
/* Returns whether the inserted text only evaluates expressions and changes ghost variables. */
bool inserted_is_expressions(const Program *, const Inserted *);
/* Changes columns and names in the program to those of the text without insertions. */
void inserted_forget(Program *, const Inserted *);

/* ---- ghosts.c ---- */
/* Joins each update of a ghost variable with the first step of its statement that other threads may observe. */
void ghosts_join(Program *, const Inserted *);
