/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and reads the parts that the texts of programs and systems have in common: words, names, strings and positions. */
#pragma once
#include "expr/lexer.h"
#include "ir/program.h"

extern const char *const approximation_words[];          /* by ApproximationKind */
extern const char *const memory_words[];                 /* by MemoryModel */
extern const char *const object_words[5];                /* by ObjectKind */
extern const char *const location_words[LOCATION_KINDS]; /* by LocationKind; "" for PLAIN */
extern const char *const order_words[5];                 /* by MemoryOrder; seq_cst is not written */
/* Returns the index of `name` among the n words; n if it is not there. */
unsigned text_word(const char *const *words, unsigned n, const char *name);

/* Consume a name or string and return it, interned. If the token is of another kind: report an error (`what` was expected) and return
   NULL. */
const char *text_name(Lexer *, Exprs *, const char *what);
const char *text_string(Lexer *, Exprs *, const char *what);
/* Consumes words for properties and returns the set. Reports an error and returns 0 if there is no such word. */
PropertySet text_properties(Lexer *);
/* Consumes @"file:line:column" or @nowhere. Returns false if neither comes next. */
bool text_position(Lexer *, Exprs *, Position *);

void text_print_string(Buf *, const char *);
void text_print_properties(Buf *, uint64_t set); /* with a blank before each word */
/* Prints a name where words of the grammar may stand, too: it is quoted if it is one of them. */
void text_print_name(Buf *, const char *);
/* Prints a position between `before` and `after`; nothing if it equals `inherited`. */
void text_print_position(Buf *, Position, Position inherited, const char *before, const char *after);
