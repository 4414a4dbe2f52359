/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the steps of a trace that rely on behaviour which only the translation added. */
#pragma once
#include "result/trace.h"

/* Returns the steps whose over-approximation affects the trace, in order: a vec of indices, which the caller frees. The result of an unknown
   function counts only if some step depends on it. Requires that the trace can be executed on the program. */
size_t *trace_assumptions(const Program *, const Trace *);
