/* SPDX-License-Identifier: Apache-2.0 */
/* A lock order is an engine's proof that no threads wait for each other. It claims for each location of a thread which mutexes the thread may hold
   and must hold. It also claims an order in which mutexes are locked. check/lock_order.c checks these claims; see doc/rules.md, "An order of
   locks". */
#pragma once
#include "ir/program.h"

enum { NO_LOCK = ~0u, NO_TEMPLATE = ~0u };

/* The local variable (by index) has the result of an attempt to lock: the lock is held only if it is 0. */
typedef struct OrderTry {
    unsigned lock, local;
} OrderTry;

/* The claims about a thread at a location. In a set of locks, bit l % 64 of word l / 64 is lock l. */
typedef struct OrderPlace {
    bool reached;         /* a thread may be here; otherwise the other claims are empty */
    uint64_t *may, *must; /* vecs: the locks that it may hold, and those that it must hold */
    OrderTry *tries;      /* a vec */
} OrderPlace;

/* A thread may take the locks of one rank in any order if it holds the gate as well, or if it is the only thread that takes them. */
typedef struct OrderRank {
    unsigned gate;  /* a lock, or NO_LOCK */
    unsigned alone; /* the template of the only thread, or NO_TEMPLATE */
} OrderRank;

typedef struct LockOrder {
    unsigned *locks;     /* a vec: mutex words, as indices of globals */
    unsigned *ranks;     /* by lock */
    OrderRank *classes;  /* by rank */
    OrderPlace **places; /* by template, by location; vecs */
} LockOrder;

static inline bool locks_have(const uint64_t *set, unsigned lock) { return set[lock / 64] >> lock % 64 & 1; }
static inline void locks_add(uint64_t *set, unsigned lock) { set[lock / 64] |= UINT64_C(1) << lock % 64; }
static inline void locks_remove(uint64_t *set, unsigned lock) { set[lock / 64] &= ~(UINT64_C(1) << lock % 64); }
static inline size_t locks_words(const LockOrder *o) { return vec_len(o->locks) / 64 + 1; }

LockOrder *lock_order_new(const Program *); /* without locks, and no location is reached; the caller frees it */
void lock_order_free(LockOrder *);
/* Returns the order as a vec of numbers, for another process. */
uint64_t *lock_order_send(const LockOrder *);
/* Reads an order that was sent. NULL: the numbers are not an order of locks of this program. */
LockOrder *lock_order_receive(const Program *, const uint64_t *sent);
