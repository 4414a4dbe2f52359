/* SPDX-License-Identifier: Apache-2.0 */
/* When is an expression defined? */
#ifndef HEDDLE_EXPR_DEFINED_H
#define HEDDLE_EXPR_DEFINED_H
#include "expr/expr.h"

/* An expression without faults that has its value where it is defined, and when that is. value NULL: not known. */
typedef struct Meaning {
    const Expr *value, *defined;
} Meaning;
Meaning expr_meaning(Exprs *, const Expr *);

#endif
