/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the stores of a program under TSO or PSO whose delay other threads may observe. */
#pragma once
#include "ir/weak.h"

typedef struct StoreDelay { /* for one action */
    WeakAction weak;
    bool is_single_threaded; /* no other thread exists when the action is taken */
    bool
        may_be_delayed; /* only STORE and BLOCK: its late arrival may lead to an execution without an equal in which it arrives immediately */
    bool is_observable; /* LOAD: other threads may write what it reads; STORE: other threads may access what it writes */
} StoreDelay;

typedef struct StoreDelays {
    const Program *program;
    StoreDelay **of;   /* by template and action; vecs */
    bool any;          /* some action is late; otherwise the program behaves as under sequential consistency */
    Position where;    /* the first late action */
    bool assumed;      /* some action would be late if memory were allocated or freed without a drain */
    Position assuming; /* the first such action */
} StoreDelays;

/* True if two actions of different threads, by template and number, may access the same place unordered by locks, creation and joins. */
typedef bool MayBeUnordered(const void *context, unsigned template_, unsigned action, unsigned other_template, unsigned other);
/* True if every action has a StoreDelay, only stores and blocks are late, and `any` is set if one of them is late. */
bool delays_valid(const StoreDelays *);
/* may_be_unordered: which accesses may be unordered; NULL if that is not known. The program must outlive the result. */
StoreDelays *delays_new(const Program *, MayBeUnordered *may_be_unordered, const void *context);
void delays_free(StoreDelays *);
