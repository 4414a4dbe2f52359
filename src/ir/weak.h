/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies actions by their effect on store buffers (doc/ir.md, "Weak memory"). */
#pragma once
#include "ir/program.h"

typedef enum WeakKind {
    WEAK_LOCAL,   /* it touches no state that other threads see */
    WEAK_LOAD,    /* it reads from the thread's own buffer, or else from memory */
    WEAK_STORE,   /* it writes once and reads nothing; the store waits in the buffer */
    WEAK_BARRIER, /* stores behind it arrive after those before it */
    WEAK_BLOCK,   /* it copies or fills shared memory */
    WEAK_DRAIN    /* it waits until the buffer is empty; its writes are in memory immediately */
} WeakKind;

typedef struct WeakAction {
    WeakKind kind;
    unsigned instr; /* STORE: the index of the instruction that stores */
    bool barrier;   /* STORE: it is also a barrier, before the store */
    bool assumed;   /* DRAIN: the only reason is that it allocates or frees memory; not every machine waits then */
} WeakAction;

/* Classifies an action of a program whose memory is TSO or PSO. `shared` comes from program_shared_objects. */
WeakAction weak_action(const Program *, const Template *, const Action *, const bool *shared);
static inline bool memory_is_buffered(MemoryModel m) { return m == MEMORY_TSO || m == MEMORY_PSO; }
