/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose stores are buffered as one that is sequentially consistent; see buffers.c. */
#ifndef HEDDLE_PASSES_PROGRAM_BUFFERS_H
#define HEDDLE_PASSES_PROGRAM_BUFFERS_H
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
Buffered buffers(const Program *, const Delays *, unsigned depth);
enum { SHALLOW_BUFFER = 2, DEEPEST_BUFFER = 16 };
#define BUFFER_FULL "stores wait in a store buffer: no more are followed" /* where it stops */
/* Of a copy of the program: a store reads its value when it is made, as one that waits does. */
void stores_read_values(Program *, const Delays *);
/* A trace of it as one of the program; the trace is changed. */
void buffered_trace(const Buffered *, Trace *);
/* A trace of the program under sequential consistency: each store arrives at once. (One that ends with TRACE_UNORDERED is replayed as it is.) */
void unbuffered_trace(const Program *, const Delays *, Trace *);

#endif
