/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_STEP_COUNTERS_H
#define HEDDLE_TRANSFORM_PROGRAM_STEP_COUNTERS_H
#include "ir/program.h"

/* Counters of what threads do once: a step that no thread takes twice is taken at most as often as threads were
   created. An invariant about one thread at a time cannot say so otherwise ("x is at most the number of threads").

   requires  a well-formed program
   ensures   a copy with the same executions and more variables; templates, locations, actions and choices are the
             same
   breaks    nothing: it is a copy NULL: there is nothing to count. */
Program *counted_steps(const Program *);

#endif
