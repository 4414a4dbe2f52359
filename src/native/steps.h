/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the schedule of a native run (native/instrument.c): turns at points of LLVM instructions in the order of the trace, with their
   values and inputs. */
#pragma once
#include "result/trace.h"

/* Identifies an LLVM instruction in the context of the calls that lead to it. */
typedef struct NativePoint {
    unsigned origin;
    uint64_t context;
} NativePoint;

typedef struct NativeTurn {
    unsigned thread;
    NativePoint point;
    unsigned part; /* among the actions that came from the instruction */
    const Instr *instr;
    size_t step;                                /* the step of the trace, from 0 */
    bool continues;                             /* continues the instruction of an earlier turn */
    bool valued;                                /* the place contains `value` afterwards … */
    bool address;                               /* … which is an address */
    bool initialises;                           /* the place is uninitialised, and gets `value` */
    bool overrides_memory;                      /* weak memory: the read returns `value`, whatever memory contains */
    bool race;                                  /* one of the two turns that race */
    bool parts;                                 /* the instruction is executed in pieces … */
    bool writes;                                /* … and other threads see its writes */
    uint32_t read_at, reads, write_at, written; /* the range of bytes that are read, and written */
    size_t first;                               /* of a piece: the first turn of the instruction */
    unsigned size;                              /* of the value, in bytes */
    u128 value;
    uint64_t place, most_bytes; /* ALLOC: the place, and the most bytes ever allocated there */
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
} NativeFate; /* at the end a thread is anywhere, has ended, or waits */

typedef struct NativeRun {
    NativeTurn *turns;               /* vecs */
    NativeInput *inputs, *variables; /* variables: the values of uninitialised ones */
    NativeFate *fates;               /* by thread number */
    unsigned threads;
    TraceEnd end;
    PropertySet property; /* the property that is violated */
    unsigned thread;      /* the thread that violates it; 0: no particular one */
    NativePoint point;    /* the point at fault, if a step is */
    size_t loop;          /* of an endless run: the first turn of the loop */
} NativeRun;

NativeRun *native_run_new(void);
void native_run_free(NativeRun *);
