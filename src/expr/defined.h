/* SPDX-License-Identifier: Apache-2.0 */
/* When is an expression defined? */
#pragma once
#include "expr/expr.h"

/* (A product that is an address's, with the flag exact, is taken to be in range.) */
/* An expression without faults that has its value where it is defined, and when that is. value NULL: not known. */
typedef struct Meaning {
    const Expr *value, *defined;
} Meaning;
Meaning expr_meaning(Exprs *, const Expr *);
