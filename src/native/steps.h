/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace is to a native run of the program (native/instrument.c): points of LLVM instructions in their order, and what is served there. */
#pragma once
#include "result/trace.h"

/* An instruction of LLVM in the context of the calls that lead to it. */
typedef struct NativePoint {
    unsigned origin;
    uint64_t context;
} NativePoint;

typedef struct NativeTurn {
    unsigned thread;
    NativePoint point;
    unsigned part; /* of what came of the instruction */
    const Instr *instr;
    size_t step;                                /* of the trace, from 0 */
    bool piece;                                 /* the instruction has begun with an earlier turn */
    bool valued;                                /* `value` is there afterwards … */
    bool address;                               /* … which is an address */
    bool chosen;                                /* nothing was written there: it holds `value` */
    bool served;                                /* memory is weak: what is read there is `value`, whatever memory holds */
    bool race;                                  /* one of two that race */
    bool parts;                                 /* the instruction is taken piece by piece … */
    bool writes;                                /* … and others see what is written */
    uint32_t read_at, reads, write_at, written; /* which bytes of it are read, and written */
    size_t first;                               /* of a piece: the turn that the instruction began with */
    unsigned size;                              /* of the value, in bytes */
    u128 value;
    uint64_t place, room; /* ALLOC: where, and how many bytes are ever there */
} NativeTurn;

typedef struct NativeInput {
    unsigned thread;
    NativePoint point;
    size_t step;
    uint64_t value;
} NativeInput;

typedef enum NativeFate {
    NATIVE_SOMEWHERE,
    NATIVE_ENDS,
    NATIVE_WAITS
} NativeFate; /* in the end a thread is somewhere, has ended, or waits */

typedef struct NativeRun {
    NativeTurn *turns;               /* vecs */
    NativeInput *inputs, *variables; /* … that are not initialised */
    NativeFate *fates;               /* by thread number */
    unsigned threads;
    TraceEnd end;
    Matters property;  /* that is violated */
    unsigned thread;   /* that it ends in; 0: none */
    NativePoint point; /* where, if a step is at fault */
    size_t loop;       /* the turn that an endless one goes on with */
} NativeRun;

NativeRun *native_run_new(void);
void native_run_free(NativeRun *);
