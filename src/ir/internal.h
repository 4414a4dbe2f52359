/* SPDX-License-Identifier: Apache-2.0 */
/* Declares functions and a table that only the files of ir/ use. */
#pragma once
#include "ir/program.h"

/* Adds a template without self, argument and result. A suffix makes the name unique. */
Template *template_bare(Program *, const char *name, unsigned count);
/* Adds the missing ones of self, argument and result (in main: self only). */
void template_complete(Program *, Template *);

/* Describes the operands of a kind of instruction: one table for printer, parser and checker. */
typedef enum Part { PART_NONE, PART_OPTIONAL, PART_REQUIRED } Part;
typedef struct InstrShape {
    const char *text; /* the word in .hir text */
    Part target, address, value, size, object;
} InstrShape;
extern const InstrShape instr_shapes[INSTR_KINDS];

/* Visits the symbols of an expression, as expr_symbols, but is fast for small trees. A symbol may be visited twice. */
void expr_each_symbol(const Expr *, void (*visit)(void *context, const Symbol *), void *context);

static inline bool instr_is_lock(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK; }
