/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and reads expressions whose shared parts have names, `let NAME = EXPRESSION;`, so that each part is written once. */
#pragma once
#include "expr/lexer.h"

/* ---- printing ---- */
typedef struct Names Names;
Names *names_new(void);
void names_free(Names *);
/* Makes all chosen names differ from `taken`. */
void names_avoid(Names *, const char *taken);
/* Counts an expression that will be printed. Large parts that occur more than once get names. Count all expressions before you print the
   first. */
void names_count(Names *, const Expr *);
/* Prints the definitions that the expression needs and that were not printed yet, each after `before`. Returns true if it printed one. */
bool names_print_definitions(Names *, Buf *, const Expr *, const char *before);
void names_print(Names *, Buf *, const Expr *); /* names may be NULL */

/* ---- reading ---- */
typedef struct Lets Lets;
Lets *lets_new(void);
void lets_free(Lets *);
/* Reads NAME = EXPRESSION; behind `let`. */
void lets_parse(Lets *, Exprs *, Lexer *, ExprResolve, void *context);
/* Reads an expression with these names in it, as expr_parse does. lets may be NULL. */
const Expr *lets_parse_expr(const Lets *, Exprs *, Lexer *, ExprResolve, void *context);
