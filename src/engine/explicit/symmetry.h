/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are interchangeable: states that differ only in which of them is where are one. */
#pragma once
#include "engine/explicit/reduce.h"

typedef struct Symmetry Symmetry;

/* NULL: there are no such threads, or it cannot be told. */
Symmetry *symmetry_new(const Program *, Machine *, const Reduction *);
void symmetry_free(Symmetry *);
/* From now on (or no longer) the machine joins interchangeable threads together. */
void symmetry_use(const Symmetry *, bool);

/* The thread has moved. If it waits for the end of an interchangeable thread now: is that the same as to wait for all of the kind? If not, they are not
   taken as interchangeable any more, and all that was searched has to be searched again. */
bool symmetry_holds(Symmetry *, const State *, unsigned thread);
bool symmetry_is_left(const Symmetry *); /* are there interchangeable threads? */

/* Puts the components of interchangeable threads in order. to: by the thread's number, that of the thread it is now. */
void symmetry_sort(const Symmetry *, const State *, uint32_t *tuple, unsigned *to);
/* How the threads of a state (whose tuple it is) were sorted, for which the other tuple came out. */
void symmetry_match(const Symmetry *, const State *, const uint32_t *tuple, const uint32_t *sorted, unsigned *to);
