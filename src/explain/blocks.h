/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines a thread runs through without needing a pause, as a proof claims it: from a place where others may run to the next. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* The blocks of all threads, by lines; the first few only, unless all. */
void blocks_text(Buf *, const Display *, const Proof *, bool all);
/* The lines of each block of a thread, in order. */
void blocks_each(const Proof *, unsigned thread, void (*visit)(void *context, const Position *lines /* a vec */), void *context);
/* Where the transition begins. */
Position blocks_next_of(const Proof *, unsigned thread, const Transition *);
/* Where the thread goes on that is at the location. */
Position blocks_next(const Proof *, unsigned thread, unsigned location);
