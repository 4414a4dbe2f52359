/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of a violation by replay (result/known.h). */
#pragma once
#include "check/replay.h"
#include "result/known.h"

/* Adds the violation at the end of the trace to the known ones. Returns false if it has no place that identifies it, if it is already
   known, or if there are too many. */
bool known_add(Known *, const Program *, const Question *, const Trace *);
