/* SPDX-License-Identifier: Apache-2.0 */
/* Prints proofs by rely-guarantee reasoning (Jones 1983): each thread guarantees a relation for its own steps and relies on the guarantees of the
   other threads. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* Adds one line: whether the proof considers each thread by itself, and otherwise an invariant that needs another thread. */
void guarantees_kind(Buf *, const Display *, const Proof *);
/* Adds for each thread the kinds of steps that its guarantee allows. */
void guarantees_text(Buf *, Display *, const Proof *);
/* Returns the kinds of steps that the guarantee of a thread allows: a vec of different texts in the system's arena. Sets *left_out if a part of the
   formula is not displayed. */
const char **guarantees_ways(Display *, const Proof *, unsigned thread, bool *left_out);
