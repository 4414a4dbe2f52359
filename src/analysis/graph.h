/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses the control-flow graph of a template: its cycles, and the locations that are reachable. */
#pragma once
#include "ir/program.h"

/* Returns the number of the strongly connected component of each location, a vec that the caller frees. */
unsigned *graph_components(const Template *);
/* True if the action may run more than once in a run of its thread. components: the result of graph_components. */
static inline bool graph_repeats(const unsigned *components, const Action *a) { return components[a->source] == components[a->target]; }

enum { ANY_WAY = ~0u }; /* the argument of graph_reached that excludes no location */
/* Returns a vec by location, which the caller frees: true if actions lead there from the entry without passing the location `without`. */
bool *graph_reached(const Template *, unsigned without);
/* Returns a vec by location, which the caller frees: true if actions whose guard is not plainly false lead there from the entry. */
bool *graph_taken(const Template *);
