/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose stores are buffered as one that is sequentially consistent; see buffers.c. */
#pragma once
#include "analysis/delays.h"
#include "result/trace.h"

typedef enum BufferedKind { BUFFERED_SAME, BUFFERED_AT_ONCE, BUFFERED_ARRIVES } BufferedKind;
typedef struct BufferedAction { /* what an action stands for */
    BufferedKind kind;          /* the program's action; one whose store arrives at once; the arrival of a store */
    unsigned action;
    unsigned store; /* AT_ONCE, ARRIVES: which of those that wait */
} BufferedAction;

typedef struct Buffered {
    Program *program;         /* NULL: it would be too large */
    BufferedAction **actions; /* vecs: by template and action */
    bool full;                /* more stores may wait than there is room for: an under-approximation */
} Buffered;

/* With room for so many stores in each buffer. */
Buffered buffers(const Program *, const StoreDelays *, unsigned depth);
void buffered_free(Buffered *); /* but for the program */
enum { SHALLOW_BUFFER = 2, DEEPEST_BUFFER = 16 };
#define BUFFER_FULL "stores wait in a store buffer: no more are followed" /* where it stops */
/* Of a copy of the program: a store reads its value when it is made, as one that waits does. */
void stores_read_values(Program *, const StoreDelays *);
/* From traces of the program with buffers in locals. It takes over what is buffered, and the program. */
WayBack buffers_way_back(Buffered, Program *before, StoreDelays *own);
/* From traces in which each store arrives at once. It takes over the program. own: delays to be freed; NULL: none. */
WayBack stores_way_back(Program *before, const StoreDelays *, StoreDelays *own);
