/* SPDX-License-Identifier: Apache-2.0 */
/* Preference orders: of several threads that could go on, who goes first? An order is a tree whose leaves are threads. Where the children of a
   node run in sequence, an earlier one always goes first. Where they run in lockstep, it is one after the other's turn: a turn lasts until the thread
   comes to a loop head or its end, or for one step. */
#pragma once
#include "base/buf.h"
#include "system/system.h"

enum { MAX_THREADS = 64 };

typedef struct Order Order;
/* "sequential", "reverse", "lockstep" (turns up to loop heads), "steps" (turns of one step), or a tree: S(…) in sequence,
   L(…) lockstep, T(…) steps, a number is a thread. NULL if it is none of these. Threads that a tree leaves out come last. */
Order *order_new(const char *text, unsigned threads);
void order_free(Order *);
/* Whose turn it is: a state of the order. 0 at first. */
typedef uint64_t Turn;
/* After a step of the thread to where a turn can end, or not; bits of the threads that can go on there. */
Turn order_next(const Order *, Turn, unsigned thread, bool turn_ends, uint64_t can_move);
/* By thread: its rank, 0 goes first. */
void order_ranks(const Order *, Turn, unsigned *ranks);

/* An order by which threads have to do with each other: those that are related go in lockstep, groups of them in sequence, the first thread beside them all. */
void related_order(Buf *tree, const System *);
