/* SPDX-License-Identifier: Apache-2.0 */
/* Finds interchangeable threads. States that differ only by a permutation of interchangeable threads are stored as one state. */
#pragma once
#include "engine/explicit/reduce.h"

typedef struct Symmetry Symmetry;

/* Returns the interchangeable threads of the program; NULL: no threads are known to be interchangeable. */
Symmetry *symmetry_new(const Program *, Machine *, const Reduction *);
void symmetry_free(Symmetry *);
/* Sets whether a JOIN of an interchangeable thread waits for all threads of its template (machine_join_together). */
void symmetry_use(const Symmetry *, bool);

/* Checks the symmetry after a step of this thread. If the thread now waits for one interchangeable thread, this must be equivalent to waiting for
   all threads of the template. Otherwise returns false: the template's threads are no longer interchangeable, and the search must begin anew. */
bool symmetry_holds(Symmetry *, const State *, unsigned thread);
/* Returns true if some threads are still interchangeable. */
bool symmetry_is_left(const Symmetry *);

/* Sorts the components of interchangeable threads in the tuple of the state. to maps a thread's number to its number after sorting. */
void symmetry_sort(const Symmetry *, const State *, uint32_t *tuple, unsigned *to);
/* Computes the map `to` by which symmetry_sort has turned the tuple of the state into the sorted one. */
void symmetry_match(const Symmetry *, const State *, const uint32_t *tuple, const uint32_t *sorted, unsigned *to);
