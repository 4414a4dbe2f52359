/* SPDX-License-Identifier: Apache-2.0 */
/* A proof that no threads wait for each other, as an engine claims it: which mutexes a thread may hold, and must hold, wherever it is,
   and an order in which they are taken. check/lock_order.c decides whether it is one; see doc/rules.md, "An order of locks". */
#pragma once
#include "ir/program.h"

enum { NO_LOCK = ~0u, NO_TEMPLATE = ~0u };

/* The lock is held only if the local (by index) is 0: it is the result of an attempt to lock. */
typedef struct OrderTry {
    unsigned lock, local;
} OrderTry;

/* What is claimed of a thread at a location. SetPool: bit l of word l / 64 is lock l. */
typedef struct OrderPlace {
    bool reached;         /* perhaps; the rest is claimed only then */
    uint64_t *may, *must; /* vecs: of locks that it holds */
    OrderTry *tries;      /* a vec */
} OrderPlace;

/* Locks of one rank may be taken in any order … */
typedef struct OrderRank {
    unsigned gate;  /* … by who holds this lock as well; or … */
    unsigned alone; /* … by threads of this template, of which there is only one */
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

LockOrder *lock_order_new(const Program *); /* no locks, nothing reached */
void lock_order_free(LockOrder *);
/* As a vec of numbers, for another process; NULL: it is none of this program. */
uint64_t *lock_order_send(const LockOrder *);
LockOrder *lock_order_receive(const Program *, const uint64_t *sent);
