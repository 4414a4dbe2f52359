/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of expr/ share among themselves. */
#pragma once
#include "base/die.h"
#include "expr/expr.h"

/* Everything that distinguishes one node from another. */
typedef struct NodeKey {
    Op op;
    unsigned flags, low;
    const Sort *sort;
    u128 value;
    const Symbol *symbol;
    unsigned n;
    const Expr *const *args;
} NodeKey;

/* The one node with this key, made if need be; no simplification. */
const Expr *pool_node(Exprs *, const NodeKey *);

/* e with new operands (of the same sorts) and flags (walk.c). */
const Expr *expr_rebuild(Exprs *, const Expr *e, unsigned flags, const Expr *const *args);

/* What the constructors check (build.c). */
int op_arity(Op);
unsigned op_flags(Op); /* the flags it can carry */
/* The sort of `op args` for the operators of expr_make but AND and OR; NULL if the operands do not fit. */
const Sort *op_result_sort(Exprs *, Op, const Expr *const *args);
/* Does op give bit-vectors of a width that it names, like ZEXT? */
bool op_is_conversion(Op);
/* Does op convert a value of sort `from` to a bit-vector of that width? */
bool op_converts(Op, const Sort *from, unsigned width);

/* A simpler expression of the same meaning, faults included, or NULL if no rule applies (simplify.c). */
const Expr *simplify(Exprs *, const NodeKey *);
/* AND and OR of any number of operands (simplify_bool.c). */
const Expr *make_junction(Exprs *, Op, unsigned n, const Expr *const *args);
const Expr *simplify_not(Exprs *, const Expr *);
const Expr *simplify_ite(Exprs *, const Expr *c, const Expr *a, const Expr *b);
const Expr *simplify_eq(Exprs *, const Expr *, const Expr *);
/* Widths and conversions (simplify_width.c). */
const Expr *simplify_width(Exprs *, const NodeKey *);

/* Floating-point operators on bit patterns (float.c). */
Fault float_apply(const Expr *, const Value *args, u128 *bits);
bool float_width(unsigned width); /* 32, 64 or 80 */
long double float_value(u128 bits, unsigned width);

/* Decimal text of a 128-bit number. */
void print_u128(Buf *, u128);
void print_i128(Buf *, i128);

static inline u128 predicates_of(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
static inline u128 sign_bit(unsigned width) { return (u128)1 << (width - 1); }
/* The signed reading of a bit-vector of that width. */
static inline i128 signed_of(u128 bits, unsigned width) {
    u128 sign = sign_bit(width);
    return (i128)((bits ^ sign) - sign);
}
static inline bool is_int(const Sort *s) { return s->kind == SORT_INT; }
static inline bool is_bv(const Sort *s) { return s->kind == SORT_BV; }
static inline bool is_value(const Expr *e, u128 value) { return e->op == OP_CONST && e->value == value; }
/* All bits set. */
static inline bool is_ones(const Expr *e) { return e->op == OP_CONST && is_bv(e->sort) && e->value == predicates_of(e->sort->width); }
