/* SPDX-License-Identifier: Apache-2.0 */
/* Declares functions that only the files of expr/ use. */
#pragma once
#include "base/die.h"
#include "expr/expr.h"

/* Has the data that distinguish one node from another. */
typedef struct NodeKey {
    Op op;
    unsigned flags, low;
    const Sort *sort;
    u128 value;
    const Symbol *symbol;
    unsigned n;
    const Expr *const *args;
} NodeKey;

/* Returns the only node with this key, which is made if needed, without simplification. */
const Expr *pool_node(Exprs *, const NodeKey *);

/* Returns e with new operands (of the same sorts) and flags (walk.c). */
const Expr *expr_rebuild(Exprs *, const Expr *e, unsigned flags, const Expr *const *args);

/* ---- checks of the constructors (build.c) ---- */
int op_arity(Op);
unsigned op_flags(Op); /* the flags that it can have */
/* Returns the sort of `op args` for the operators of expr_make except AND and OR; NULL if the operands do not fit. */
const Sort *op_result_sort(Exprs *, Op, const Expr *const *args);
/* Returns true if the operator has the width of its result as a parameter, as ZEXT has. */
bool op_is_conversion(Op);
/* Returns true if op converts a value of sort `from` to a bit-vector of that width. */
bool op_converts(Op, const Sort *from, unsigned width);

/* Returns a simpler expression of the same meaning, including faults, or NULL if no rule applies (simplify.c). */
const Expr *simplify(Exprs *, const NodeKey *);
/* Builds the AND or OR of any number of operands (simplify_bool.c). */
const Expr *make_junction(Exprs *, Op, unsigned n, const Expr *const *args);
const Expr *simplify_not(Exprs *, const Expr *);
const Expr *simplify_ite(Exprs *, const Expr *c, const Expr *a, const Expr *b);
const Expr *simplify_eq(Exprs *, const Expr *, const Expr *);
/* Simplifies changes of width and conversions (simplify_width.c). */
const Expr *simplify_width(Exprs *, const NodeKey *);

/* Applies a floating-point operator to bit patterns (float.c). */
Fault float_apply(const Expr *, const Value *args, u128 *bits);
bool float_width(unsigned width); /* 32, 64 or 80 */
long double float_value(u128 bits, unsigned width);

/* Print a 128-bit number in decimal. */
void print_u128(Buf *, u128);
void print_i128(Buf *, i128);

static inline u128 mask_of(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
static inline u128 sign_bit(unsigned width) { return (u128)1 << (width - 1); }
/* Returns the signed value of a bit-vector of that width. */
static inline i128 signed_of(u128 bits, unsigned width) {
    u128 sign = sign_bit(width);
    return (i128)((bits ^ sign) - sign);
}
static inline bool is_int(const Sort *s) { return s->kind == SORT_INT; }
static inline bool is_bv(const Sort *s) { return s->kind == SORT_BV; }
static inline bool is_value(const Expr *e, u128 value) { return e->op == OP_CONST && e->value == value; }
/* Returns true for a constant with all bits set. */
static inline bool is_ones(const Expr *e) { return e->op == OP_CONST && is_bv(e->sort) && e->value == mask_of(e->sort->width); }
