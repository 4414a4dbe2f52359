/* SPDX-License-Identifier: Apache-2.0 */
/* Represents typed, hash-consed expressions. Two expressions of one pool are equal iff their pointers are, and so are two sorts.
   Constructors check sorts (a misuse is a broken invariant) and simplify locally: they fold constants, and remove units and absorbed
   operands. Folding never removes a fault that evaluation would report: 1/0 and a flagged overflow are kept. Expressions are pure: a
   read of memory is an instruction of the IR, not an expression. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

/* ---- sorts ---- */
typedef enum SortKind { SORT_BOOL, SORT_BV, SORT_INT, SORT_ARRAY } SortKind;
typedef struct Sort Sort;
struct Sort {
    SortKind kind;
    unsigned width;              /* of SORT_BV: 1 to 128 */
    const Sort *index, *element; /* of SORT_ARRAY */
};

/* ---- symbols ---- */
typedef enum SymbolKind {
    SYM_VARIABLE, /* a state variable (or, in engines, a copy of one) */
    SYM_ADDRESS,  /* the address of an object or function: a constant of pointer width, per thread for a thread's own */
    SYM_FUNCTION  /* uninterpreted */
} SymbolKind;
typedef struct Symbol Symbol;
struct Symbol {
    SymbolKind kind;
    const char *name; /* unique in its pool */
    const Sort *sort; /* of a function: of its result */
    unsigned id;      /* dense, in order of creation */
    unsigned nparams;
    const Sort *const *params; /* of SYM_FUNCTION */
    void *user;                /* for the symbol's owner: the IR's Variable or Object */
    int sign;                  /* how reports show its value: 1 signed, -1 unsigned, 0 not known */
};

/* ---- expressions ---- */
typedef enum Op {
#define OP(name, text, arity) OP_##name,
#include "expr/ops.def"
#undef OP
    OP_COUNT
} Op;

enum { FLAG_NSW = 1, FLAG_NUW = 2, FLAG_EXACT = 4 };

typedef struct Expr Expr;
struct Expr {
    Op op;
    uint8_t flags;
    bool may_fault; /* see expr_may_fault */
    unsigned nargs;
    unsigned low; /* EXTRACT: the lowest bit */
    const Sort *sort;
    unsigned id;   /* dense, in order of creation, so operands have smaller ids */
    unsigned tree; /* number of nodes if written as a tree, at most UINT_MAX: large trees need walks that use sharing */
    uint64_t hash;
    u128 value;           /* CONST: Bool 0/1; bv zero-extended; int as two's complement (i128) */
    const Symbol *symbol; /* SYMBOL, APPLY */
    const Expr *args[];
};

typedef struct Exprs Exprs; /* the pool: owns sorts, symbols, names and expressions */

Exprs *exprs_new(void);
void exprs_free(Exprs *);
size_t exprs_count(const Exprs *); /* number of expressions made so far; all ids are below */
size_t exprs_symbol_count(const Exprs *);
const char *exprs_intern(Exprs *, const char *text);

const Sort *sort_bool(Exprs *);
const Sort *sort_bv(Exprs *, unsigned width);
const Sort *sort_int(Exprs *);
const Sort *sort_array(Exprs *, const Sort *index, const Sort *element);

/* Makes a new symbol. If the name is taken, a suffix makes it unique (#2, #3 …). */
Symbol *symbol_new(Exprs *, SymbolKind, const char *name, const Sort *);
Symbol *symbol_function(Exprs *, const char *name, const Sort *result, unsigned n, const Sort *const *params);
Symbol *symbol_find(const Exprs *, const char *name); /* NULL: not found */

const Expr *expr_bool(Exprs *, bool);
const Expr *expr_bv(Exprs *, unsigned width, u128 value); /* value is cut to width */
const Expr *expr_int(Exprs *, i128 value);
const Expr *expr_const(Exprs *, const Sort *, u128 value);
const Expr *expr_symbol(Exprs *, const Symbol *);

/* Builds any expression except CONST, SYMBOL, EXTRACT, APPLY and operators that need a result sort. */
const Expr *expr_make(Exprs *, Op, unsigned flags, unsigned n, const Expr *const *args);
static inline const Expr *expr_1(Exprs *p, Op op, const Expr *a) { return expr_make(p, op, 0, 1, &a); }
static inline const Expr *expr_2(Exprs *p, Op op, const Expr *a, const Expr *b) {
    const Expr *args[] = {a, b};
    return expr_make(p, op, 0, 2, args);
}
static inline const Expr *expr_2f(Exprs *p, Op op, unsigned flags, const Expr *a, const Expr *b) {
    const Expr *args[] = {a, b};
    return expr_make(p, op, flags, 2, args);
}
const Expr *expr_not(Exprs *, const Expr *);
const Expr *expr_and(Exprs *, const Expr *, const Expr *);
const Expr *expr_or(Exprs *, const Expr *, const Expr *);
const Expr *expr_implies(Exprs *, const Expr *, const Expr *);
const Expr *expr_eq(Exprs *, const Expr *, const Expr *);
const Expr *expr_ite(Exprs *, const Expr *c, const Expr *a, const Expr *b);
const Expr *expr_extract(Exprs *, const Expr *, unsigned low, unsigned width);
/* Converts to a bit-vector of that width, by ZEXT SEXT INT_TO_BV FP_TO_SBV FP_TO_UBV SBV_TO_FP UBV_TO_FP FP_TO_FP. ZEXT and SEXT to the
   operand's own width return the operand. */
const Expr *expr_convert(Exprs *, Op, const Expr *, unsigned width);
const Expr *expr_const_array(Exprs *, const Sort *array, const Expr *value);
const Expr *expr_apply(Exprs *, const Symbol *function, unsigned n, const Expr *const *args);

static inline bool expr_is_true(const Expr *e) { return e->op == OP_CONST && e->sort->kind == SORT_BOOL && e->value; }
static inline bool expr_is_false(const Expr *e) { return e->op == OP_CONST && e->sort->kind == SORT_BOOL && !e->value; }
static inline bool expr_is_formula(const Expr *e) { return e->sort->kind == SORT_BOOL; }
static inline bool expr_is_const(const Expr *e) { return e->op == OP_CONST; }
const char *op_text(Op);

/* Returns true if the evaluation of e may report a fault, given values for its symbols. Simplification drops only operands that cannot
   fault. FAULT_RANGE does not count: it is a limit of the evaluator, not a fault of the program. Rules may avoid it, or exchange
   operands so that it precedes another fault. */
static inline bool expr_may_fault(const Expr *e) { return e->may_fault; }

/* Rebuilds an expression with replaced symbols. image returns the replacement of a symbol's expression, or NULL to keep it. */
typedef const Expr *(*ExprImage)(void *context, const Expr *symbol);
const Expr *expr_substitute(Exprs *, const Expr *, ExprImage image, void *context);
/* Rebuilds an expression with replaced parts of any kind, the outermost first. image returns the replacement, or NULL to visit the
   operands. */
const Expr *expr_replace(Exprs *, const Expr *, ExprImage image, void *context);
const Expr *expr_exchange(Exprs *, const Expr *, const Expr *part, const Expr *by); /* replaces one part by another of its sort */
/* Visits every symbol in e once, including the function symbols of APPLY. */
void expr_symbols(const Expr *e, void (*visit)(void *context, const Symbol *), void *context);
bool expr_mentions(const Expr *e, const Symbol *);

/* ---- evaluation ---- */
/* Lists the faults that the evaluation of an expression or a step of the program can report. FAULT_NONE is 0. */
typedef enum Fault {
#define FAULT(name, text) FAULT_##name,
#include "expr/faults.def"
#undef FAULT
    FAULT_COUNT
} Fault;
const char *fault_text(Fault);

/* Array values: a default, and the entries that differ from it, sorted by index. A pool interns them by content, so equal arrays are
   equal pointers. */
typedef struct ArrayValue ArrayValue;
typedef struct Value {
    u128 bits;               /* as Expr.value */
    const ArrayValue *array; /* of SORT_ARRAY, else NULL */
} Value;
typedef struct Values Values; /* pool of array values */
Values *values_new(void);
void values_free(Values *);
const ArrayValue *array_constant(Values *, Value element);
Value array_select(const ArrayValue *, Value index);
const ArrayValue *array_store(Values *, const ArrayValue *, Value index, Value element);
size_t array_entries(const ArrayValue *); /* number of entries that differ from the default */
void array_entry(const ArrayValue *, size_t i, Value *index, Value *element);
Value array_default(const ArrayValue *);

/* Evaluates one operator on values. This function alone defines the meaning of operators. e gives operator, sorts and flags; args are
   the values of its operands. ITE, AND and OR are not strict: expr_eval handles the faults of their operands lazily. */
Fault expr_apply_op(Values *, const Expr *e, const Value *args, Value *result);

typedef struct EvalEnv {
    Values *values;
    /* Looks up the value of a symbol, or of a function applied to n arguments. */
    Fault (*lookup)(void *context, const Symbol *, unsigned n, const Value *args, Value *result);
    void *context;
} EvalEnv;
/* Evaluates an expression exactly. The branch that an ITE does not take is not evaluated, nor are operands of AND and OR behind the
   first that decides. */
Fault expr_eval(const EvalEnv *, const Expr *, Value *result);

/* ---- text ---- */
void expr_print(Buf *, const Expr *); /* the .hir form: (add nsw x 1:32) */
/* Prints the same with names for parts. name returns the name of an expression, or NULL to write it out. */
typedef const char *(*ExprName)(void *context, const Expr *);
void expr_print_named(Buf *, const Expr *, ExprName name, void *context);
void expr_print_c(Buf *, const Expr *);                 /* C syntax, minimal parentheses, for display */
void float_print_c(Buf *, u128 bits, unsigned width);   /* the shortest decimal that reads back equal; NAN, INFINITY */
void float_literal_c(Buf *, u128 bits, unsigned width); /* the same, with the suffix of its type: 1.1f */
void expr_print_smt(Buf *, const Expr *);               /* SMT-LIB (bit-vectors); symbols quoted where needed */
void sort_print(Buf *, const Sort *);                   /* bool, bv32, int, array(int,bv8) */
void sort_print_smt(Buf *, const Sort *);
void symbol_print_smt(Buf *, const Symbol *);                 /* as in expr_print_smt, for its declaration */
void value_print(Buf *, const Sort *, Value, bool is_signed); /* for display: -1, 42, true, {0: 1, 3: 7, else 0} */

/* ir/parse and expr_parse share the lexer. resolve returns the symbol of a name, or NULL. */
typedef struct Lexer Lexer;
typedef const Symbol *(*ExprResolve)(void *context, const char *name);
const Expr *expr_parse(Exprs *, Lexer *, ExprResolve resolve, void *context); /* NULL after an error (in the lexer) */
const Sort *sort_parse(Exprs *, Lexer *);
