/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ir/ share among themselves. */
#pragma once
#include "ir/program.h"

/* A template without self, argument and result; the name is made unique by a suffix. */
Template *template_bare(Program *, const char *name, unsigned count);
/* Give it those of self, argument and result that it lacks (main: only self). */
void template_complete(Program *, Template *);

/* What an instruction of a kind consists of: one table for the printer's, parser's and checker's sake. */
typedef enum Part { PART_NONE, PART_OPTIONAL, PART_REQUIRED } Part;
typedef struct InstrShape {
    const char *text; /* the word in .hir text */
    Part target, address, value, size, object;
} InstrShape;
extern const InstrShape instr_shapes[INSTR_KINDS];

/* Like expr_symbols, but quick for the small trees that make up programs, and a symbol may be visited twice. */
void expr_each_symbol(const Expr *, void (*visit)(void *context, const Symbol *), void *context);

static inline bool instr_is_lock(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK; }
