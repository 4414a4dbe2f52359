/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the inside of the reader of .wvr, Weaver's input language (front_wvr in front/front.h). Tokens (lex.c), expressions (expr.c)
   and statements (parse.c) become a tree, and compile.c makes threads of it.

   After the first error the lexer delivers only end tokens. So every loop of the reader terminates, and every NULL is passed on. */
#pragma once
#include "base/map.h"
#include "expr/lexer.h"
#include "ir/program.h"

/* ---- the tree ---- */

/* A part of a simple statement assigns a value or, if target is NULL, assumes it. */
typedef struct Part {
    Variable *target;
    const Expr *value;
    Position position;
} Part;

typedef enum StmtKind {
    STMT_SIMPLE, /* one indivisible step of all parts, in order */
    STMT_SEQ,    /* all bodies in order */
    STMT_COND,   /* one of the bodies */
    STMT_LOOP,   /* its one body, any number of times */
    STMT_PAR     /* all bodies, interleaved */
} StmtKind;

/* The bodies of COND, LOOP and PAR are SEQs. `if`, `while`, `declare` and `replicate` are translated to these kinds. */
typedef struct Stmt Stmt;
struct Stmt {
    StmtKind kind;
    Position position;
    bool divides;  /* SIMPLE: it uses the operator /, whose meaning for integers differs between solvers */
    bool repeated; /* PAR: it is inside a loop */
    unsigned n;
    Part *parts; /* of SIMPLE */
    Stmt **body; /* of the other kinds */
};

/* ---- reading ---- */

/* A global variable or a function, which is an array (of arrays) that is never assigned. */
typedef struct Name {
    Variable *variable;
    unsigned nparams; /* number of parameters of a function; 0 for a variable */
} Name;

typedef struct Wvr {
    Lexer lexer;
    Program *program;
    Map *names;       /* interned → Name */
    unsigned depth;   /* nesting depth of the recursive reader */
    unsigned loops;   /* number of enclosing loops */
    unsigned threads; /* number of threads so far, main included */
    bool divides;     /* an expression with / was read since this was cleared */
} Wvr;

enum { WVR_DEPTH = 1000, WVR_OPERANDS = 4096, WVR_THREADS = 255 };

/* lex.c */
void wvr_next(Wvr *);
bool wvr_is(const Wvr *, const char *text);      /* true if the current token is this symbol or parenthesis */
bool wvr_expect(Wvr *, const char *text);        /* steps over that token; reports an error if it is another one */
bool wvr_close(Wvr *, LexerPlace opened);        /* steps over the ) of the ( at `opened`; else reports an error */
const char *wvr_symbol(Wvr *, const char *what); /* steps over the current symbol and returns it, interned; NULL after an error */
Position wvr_position(const Wvr *, LexerPlace);
/* Enters one more level of nesting; false if it is too deep. Every call needs its wvr_leave. */
bool wvr_enter(Wvr *);
void wvr_leave(Wvr *);

/* expr.c */
const Sort *wvr_sort(Wvr *);
const Expr *wvr_expr(Wvr *, const Sort *expected); /* NULL after an error */
void wvr_declare(Wvr *, LexerPlace, const char *name, Variable *, unsigned nparams);

/* parse.c: Parses the whole program as a SEQ, in the lexer's arena. Returns NULL after an error. */
const Stmt *wvr_program(Wvr *);

/* compile.c */
void wvr_compile(Program *, const Stmt *program);
