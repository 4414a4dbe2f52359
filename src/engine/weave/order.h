/* SPDX-License-Identifier: Apache-2.0 */
/* Defines preference orders: they rank the threads that can move. An order is a tree with threads as its leaves. If the children of a node run in
   sequence, an earlier child always comes first. If they run in lockstep, the children take turns. A turn lasts until the thread reaches a loop
   head or its end, or, for a node T(…), for one step. */
#pragma once
#include "base/buf.h"
#include "system/system.h"

enum { MAX_THREADS = 64 };

typedef struct Order Order;
/* Returns the order with this text: "sequential", "reverse", "lockstep" (turns up to loop heads), "steps" (turns of one step), or a tree. A tree has
   the form S(…) for sequence, L(…) for lockstep, T(…) for steps, or is the number of a thread. Threads that a tree leaves out come last. Returns NULL
   for any other text. */
Order *order_new(const char *text, unsigned threads);
void order_free(Order *);
/* The state of an order records, for each lockstep node, the child that has its turn. Initially, it is 0. */
typedef uint64_t OrderState;
/* Returns the state after a step of the thread. turn_ends is true if the step leads to a point where a turn ends. The bits of can_move are the
   threads that can move afterwards. */
OrderState order_next(const Order *, OrderState, unsigned thread, bool turn_ends, uint64_t can_move);
/* Sets the rank of each thread; 0 comes first. */
void order_ranks(const Order *, OrderState, unsigned *ranks);

/* Appends the text of an order. Related threads (related.c) run in lockstep, and groups of related threads run in sequence. The first thread runs in
   lockstep with this sequence. */
void related_order(Buf *tree, const System *);
