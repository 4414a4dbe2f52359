/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace takes for granted that the program may not do. */
#pragma once
#include "result/trace.h"

/* The steps whose over-approximation matters for the trace, in order: a vec of indices, the caller's to free. The result of an
   unknown function matters only if something depends on it.
   requires: the trace can be executed on the program. */
size_t *trace_assumptions(const Program *, const Trace *);
