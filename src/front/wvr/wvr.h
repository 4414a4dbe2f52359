/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the reader of .wvr, Weaver's input language (front_wvr in front/front.h): tokens (lex.c), expressions (expr.c)
   and statements (parse.c) become a tree, which compile.c makes into threads.

   After the first error the lexer delivers only ends, so every loop of the reader ends and every NULL is passed on. */
#pragma once
#include "base/map.h"
#include "expr/lexer.h"
#include "ir/program.h"

/* ---- the tree ---- */

/* A step of a simple statement: an assignment, or (target NULL) an assume. */
typedef struct Part {
    Variable *target;
    const Expr *value;
    Position position;
} Part;

typedef enum StmtKind {
    STMT_SIMPLE, /* one indivisible step: its parts, in order */
    STMT_SEQ,    /* one after the other */
    STMT_COND,   /* one of them */
    STMT_LOOP,   /* its one body, any number of times */
    STMT_PAR     /* all of them, interleaved */
} StmtKind;

/* The parts of COND, LOOP and PAR are SEQs. `if`, `while`, `declare` and `replicate` are written with these. */
typedef struct Stmt Stmt;
struct Stmt {
    StmtKind kind;
    Position position;
    bool divides;  /* SIMPLE: it uses the operator /, which has no settled meaning for integers */
    bool repeated; /* PAR: it is in a loop */
    unsigned n;
    Part *parts; /* of SIMPLE */
    Stmt **body; /* of the others */
};

/* ---- reading ---- */

/* A global variable; functions are arrays (of arrays) that nobody assigns. */
typedef struct Name {
    Variable *variable;
    unsigned nparams; /* of a function */
} Name;

typedef struct Wvr {
    Lexer lexer;
    Program *program;
    Map *names;       /* interned → Name */
    unsigned depth;   /* of nesting: the reader is recursive */
    unsigned loops;   /* around here */
    unsigned threads; /* so far, main included */
    bool divides;     /* an expression read since this was cleared uses / */
} Wvr;

enum { WVR_DEPTH = 1000, WVR_OPERANDS = 4096, WVR_THREADS = 255 };

/* lex.c */
void wvr_next(Wvr *);
bool wvr_is(const Wvr *, const char *text);      /* the current token: this symbol or parenthesis */
bool wvr_expect(Wvr *, const char *text);        /* … and step over it, or an error */
bool wvr_close(Wvr *, LexerPlace opened);        /* … the ) for the ( there */
const char *wvr_symbol(Wvr *, const char *what); /* the current symbol, interned, and step over it; NULL: an error */
Position wvr_position(const Wvr *, LexerPlace);
/* One level deeper; false: too deep. Every call needs its wvr_leave. */
bool wvr_enter(Wvr *);
void wvr_leave(Wvr *);

/* expr.c */
const Sort *wvr_sort(Wvr *);
const Expr *wvr_expr(Wvr *, const Sort *expected); /* NULL after an error */
void wvr_declare(Wvr *, LexerPlace, const char *name, Variable *, unsigned nparams);

/* parse.c: a SEQ, the whole program; NULL after an error. It lives in the lexer's arena. */
const Stmt *wvr_program(Wvr *);

/* compile.c */
void wvr_compile(Program *, const Stmt *program);
