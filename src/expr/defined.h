/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the condition under which the evaluation of an expression is defined. */
#pragma once
#include "expr/expr.h"

/* Returns an expression without faults, and the condition under which it equals the given one, which is then defined. value NULL: not
   known. A product with the flag exact belongs to an address, and is assumed to be in range. */
typedef struct DefinedValue {
    const Expr *value, *defined;
} DefinedValue;
DefinedValue expr_meaning(Exprs *, const Expr *);
