/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of a template's control-flow graph. */
#pragma once
#include "ir/program.h"

/* Strongly connected components: a vec, by location, of component numbers. The caller frees it. */
unsigned *graph_components(const Template *);
/* Can the action run more than once in a run of its thread? */
static inline bool graph_repeats(const unsigned *components, const Action *a) { return components[a->source] == components[a->target]; }
