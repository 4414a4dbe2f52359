/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in which parts of expressions have names, `let NAME = EXPRESSION;`, so that what expressions share is written once. */
#pragma once
#include "expr/lexer.h"

/* ---- printing ---- */
typedef struct Names Names;
Names *names_new(void);
void names_free(Names *);
/* Chooses names that differ from this one. */
void names_avoid(Names *, const char *taken);
/* Counts an expression that will be printed: what is large and occurs more than once gets a name. All are counted before the first is printed. */
void names_count(Names *, const Expr *);
/* Prints, with `before` in front of each, the definitions that the expression needs and that were not printed yet. True if there are any. */
bool names_define(Names *, Buf *, const Expr *, const char *before);
void names_print(Names *, Buf *, const Expr *); /* names may be NULL */

/* ---- reading ---- */
typedef struct Lets Lets;
Lets *lets_new(void);
void lets_free(Lets *);
/* Reads NAME = EXPRESSION; behind `let`. */
void lets_parse(Lets *, Exprs *, Lexer *, ExprResolve, void *context);
/* Reads an expression with these names in it, as expr_parse. lets: NULL if there are none. */
const Expr *lets_parse_expr(const Lets *, Exprs *, Lexer *, ExprResolve, void *context);
