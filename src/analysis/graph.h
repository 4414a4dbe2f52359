/* SPDX-License-Identifier: Apache-2.0 */
/* A template's control-flow graph: its cycles, and what is reached. */
#pragma once
#include "ir/program.h"

/* Strongly connected components: a vec, by location, of component numbers. The caller frees it. */
unsigned *graph_components(const Template *);
/* Can the action run more than once in a run of its thread? */
static inline bool graph_repeats(const unsigned *components, const Action *a) { return components[a->source] == components[a->target]; }

enum { ANY_WAY = ~0u }; /* without none */
/* By location (a vec, the caller's to free): can it be reached from the entry by actions, without that one? */
bool *graph_reached(const Template *, unsigned without);
