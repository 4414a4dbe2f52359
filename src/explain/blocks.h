/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the blocks of a proof as lines of source: from a point where other threads may run to the next such point. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* Adds the blocks of all threads, as lines. Without `all`, only the first blocks of each thread are printed. */
void blocks_text(Buf *, const Display *, const Proof *, bool all);
/* Calls `visit` with the lines of each block of a thread, in order. The vec is freed after the call. */
void blocks_each(const Proof *, unsigned thread, void (*visit)(void *context, const Position *lines /* a vec */), void *context);
/* Returns the position of the transition's first instruction. */
Position blocks_next_of(const Proof *, unsigned thread, const Transition *);
/* Returns the position where a thread at the location continues; if its transitions continue in several places, the location's own position. */
Position blocks_next(const Proof *, unsigned thread, unsigned location);
