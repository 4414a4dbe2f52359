/* SPDX-License-Identifier: Apache-2.0 */
/* What actions do to store buffers (doc/ir.md, "Weak memory"). */
#pragma once
#include "ir/program.h"

typedef enum WeakKind {
    WEAK_LOCAL,   /* others see nothing of it */
    WEAK_LOAD,    /* it reads: from the thread's own buffer, or else memory */
    WEAK_STORE,   /* it writes once, and reads nothing: the store waits in the buffer */
    WEAK_BARRIER, /* stores behind it wait for those before it */
    WEAK_BLOCK,   /* it copies or fills memory that others see */
    WEAK_DRAIN    /* it waits until the buffer is empty, and what it writes is in memory at once */
} WeakKind;

typedef struct WeakAction {
    WeakKind kind;
    unsigned instr; /* STORE: the instruction that does */
    bool barrier;   /* STORE: it is one as well, before it stores */
    bool assumed;   /* DRAIN: only since it allocates or frees memory, which need not wait on every machine */
} WeakAction;

/* shared: of program_shared_objects. Of a program whose memory is TSO or PSO. */
WeakAction weak_action(const Program *, const Template *, const Action *, const bool *shared);
static inline bool memory_is_buffered(MemoryModel m) { return m == MEMORY_TSO || m == MEMORY_PSO; }
