/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of .hir text, and errors that show the line with a caret. One error is kept: the first; after it the text is
   at its end, so that parsers stop by themselves. Comments go from // to the end of the line. */
#pragma once
#include "base/buf.h"
#include "base/arena.h"
#include "expr/expr.h"

typedef enum Token {
    TOKEN_END,
    TOKEN_NAME,   /* letters, digits, and any of _ . $ # @ : ' - inside; or |quoted| (with C escapes). A : or - belongs
                     to the name only if a letter, digit or _ follows: `L1:` and `a->b` are names and punctuation */
    TOKEN_NUMBER, /* decimal, with an optional - and an optional :WIDTH (a bit-vector) */
    TOKEN_STRING, /* "…" with C escapes */
    TOKEN_PUNCT   /* one character, or := or -> */
} Token;

struct Lexer {
    const char *file, *text; /* text is NUL-terminated */
    size_t position, start;  /* behind, and at, the current token */
    unsigned line, column;   /* of the current token */
    Token token;
    char *name;     /* text of NAME, STRING (unescaped) and PUNCT */
    size_t length;  /* of name: a STRING may hold NULs */
    i128 number;    /* of NUMBER; with a width of 128, bits (the unsigned value may not fit) */
    unsigned width; /* of NUMBER: 0 without :WIDTH */
    Arena *arena;
    bool failed;
    Buf error; /* file:line:column: error: …, the line, a caret */
};

void lexer_init(Lexer *, Arena *, const char *file, const char *text); /* the first token is current */
void lexer_done(Lexer *);
void lexer_next(Lexer *);
bool lexer_is(const Lexer *, const char *text); /* is the current token this name (not quoted) or punctuation? */
bool lexer_accept(Lexer *, const char *text);   /* … and if so, step over it */
bool lexer_expect(Lexer *, const char *text);   /* … or it is an error */
void lexer_error(Lexer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where a token stood, for errors that show only later. */
typedef struct LexerPlace {
    size_t start;
    unsigned line, column;
} LexerPlace;
LexerPlace lexer_place(const Lexer *); /* of the current token */
void lexer_error_at(Lexer *, LexerPlace, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- for readers of other languages, which have tokens of their own ---- */
void lexer_open(Lexer *, Arena *, const char *file, const char *text); /* there is no current token yet */
void lexer_begin(Lexer *, size_t start);                               /* the current token begins there: not before the last one */
void lexer_take(Lexer *, Token, size_t length);                        /* it is this one, and so long */

/* Names and strings in the form that reads back: a name is quoted if it would not read as one, or is a word that
   expressions reserve (true, false, nsw, nuw, exact). */
void name_print(Buf *, const char *name);
void string_print(Buf *, const char *bytes, size_t length);
