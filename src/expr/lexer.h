/* SPDX-License-Identifier: Apache-2.0 */
/* Splits .hir text into tokens, and reports errors with the line and a caret. Only the first error is kept. After it the text is at its
   end, so that parsers stop. Comments go from // to the end of the line. */
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
    size_t position, start;  /* the end and the start of the current token */
    unsigned line, column;   /* of the current token */
    Token token;
    char *name;     /* the text of NAME, STRING (unescaped) and PUNCT */
    size_t length;  /* of name: a STRING may contain NULs */
    i128 number;    /* of NUMBER; with width 128 these are bits, since the unsigned value may not fit */
    unsigned width; /* of NUMBER: 0 without :WIDTH */
    Arena *arena;
    bool failed;
    Buf error; /* file:line:column: error: …, the line, a caret */
};

void lexer_init(Lexer *, Arena *, const char *file, const char *text); /* the first token is current */
void lexer_done(Lexer *);
void lexer_next(Lexer *);
bool lexer_is(const Lexer *, const char *text); /* true if the current token is this name (not quoted) or punctuation */
bool lexer_accept(Lexer *, const char *text);   /* the same, and consumes the token */
bool lexer_expect(Lexer *, const char *text);   /* the same, and otherwise reports an error */
void lexer_error(Lexer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records the place of a token, for errors that are found later. */
typedef struct LexerPlace {
    size_t start;
    unsigned line, column;
} LexerPlace;
LexerPlace lexer_place(const Lexer *); /* of the current token */
void lexer_error_at(Lexer *, LexerPlace, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- for parsers of other languages, which have tokens of their own ---- */
void lexer_open(Lexer *, Arena *, const char *file, const char *text); /* without a current token */
void lexer_begin(Lexer *, size_t start);                               /* begins the current token there, not before the last token */
void lexer_take(Lexer *, Token, size_t length);                        /* ends it: its kind and length */

/* Print names and strings so that they read back. A name is quoted if it would not read as a name, or is a word that expressions reserve
   (true, false, nsw, nuw, exact). */
void name_print(Buf *, const char *name);
void string_print(Buf *, const char *bytes, size_t length);
