/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace to an error takes for granted, in words. */
#pragma once
#include "result/question.h"
#include "result/trace.h"

/* False: nothing, the error is one of the program. Else *out is one line about it: "an error if probe() returns 7 at line 12", and *at
   the place of the first assumption.
   requires: the trace replays on the program, to an error. */
bool assumed_text(Buf *out, Position *at, const Program *, const Question *, const Trace *);
