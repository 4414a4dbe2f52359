/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts of programs and of systems have in common: words, names, strings and positions, printed and read. */
#pragma once
#include "expr/lexer.h"
#include "ir/program.h"

extern const char *const approximation_words[]; /* by ApproximationKind */
extern const char *const memory_words[];        /* by MemoryModel */
extern const char *const object_words[5];       /* by ObjectKind */
extern const char *const location_words[5];     /* by LocationKind; "" for PLAIN */
extern const char *const order_words[5];        /* by MemoryOrder; the first is not written */
/* Which of the n words name is; n if none. */
unsigned text_word(const char *const *words, unsigned n, const char *name);

/* The current token, interned, and a step over it; NULL, and an error, if it is no name or string. what: for the message. */
const char *text_name(Lexer *, Exprs *, const char *what);
const char *text_string(Lexer *, Exprs *, const char *what);
/* Words for properties, as a set; 0, and an error, if there are none. */
Matters text_matters(Lexer *);
/* @"file:line:column" or @nowhere; false: there is none. */
bool text_position(Lexer *, Exprs *, Position *);

void text_print_string(Buf *, const char *);
void text_print_matters(Buf *, uint64_t set); /* a blank before each word */
/* A name where words of the grammar may stand, too: quoted if it is one of them. */
void text_print_name(Buf *, const char *);
/* Between `before` and `after`; nothing if it is the one that is inherited. */
void text_print_position(Buf *, Position, Position inherited, const char *before, const char *after);
