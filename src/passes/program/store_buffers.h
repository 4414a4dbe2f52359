/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the store buffers of TSO and PSO by local variables, so that the program becomes sequentially consistent; see store_buffers.c. */
#pragma once
#include "analysis/delays.h"
#include "result/trace.h"

typedef enum BufferedKind { BUFFERED_SAME, BUFFERED_IMMEDIATE, BUFFERED_ARRIVES } BufferedKind;
typedef struct BufferedAction { /* the meaning of a new action in the given program */
    BufferedKind kind;          /* the old action; the old action, whose store arrives immediately; the arrival of its store */
    unsigned action;            /* the old action */
    unsigned store;             /* AT_ONCE, ARRIVES: the position of the store among the waiting stores */
} BufferedAction;

typedef struct BufferedProgram {
    Program *program;         /* NULL: the program would be too large */
    BufferedAction **actions; /* vecs: by template and action of the new program */
    bool full;                /* some execution stops because more than `depth` stores wait: an under-approximation */
} BufferedProgram;

/* Returns a program in which at most `depth` stores of a thread wait at a time. */
BufferedProgram add_store_buffers(const Program *, const StoreDelays *, unsigned depth);
void buffered_free(BufferedProgram *); /* keeps the program */
enum { SHALLOW_BUFFER = 2, DEEPEST_BUFFER = 16 };
#define BUFFER_FULL "stores wait in a store buffer: such executions are omitted" /* the reason of the stop, behind "more than N " */
/* Changes a copy of the program such that each store reads its value even if no load follows. A delayed store chooses an undefined value in
   the same step, so the choices of both programs agree. */
void stores_read_values(Program *, const StoreDelays *);
/* Returns the way back from traces of the program that add_store_buffers made. Takes ownership of
   BufferedProgram.actions, `before` and own; own may be NULL. */
WayBack buffers_way_back(BufferedProgram, Program *before, StoreDelays *own);
/* Returns the way back from traces of a sequentially consistent program, where each store arrives immediately. Takes ownership of `before`
   and own; own may be NULL. */
WayBack stores_way_back(Program *before, const StoreDelays *, StoreDelays *own);
