/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of a violation by replay (result/known.h). */
#pragma once
#include "check/replay.h"
#include "result/known.h"

/* Adds the violation that the trace ends with, unless it is there already. False: it has no place by which others could be told from it, it is
   there already, or there are too many. */
bool known_add(Known *, const Program *, const Question *, const Trace *);
