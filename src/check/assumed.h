/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the assumptions of a trace to an error as text. */
#pragma once
#include "result/question.h"
#include "result/trace.h"

/* Describes what the trace assumes. Returns false if it assumes nothing, so that the error is one of the program. Otherwise sets *out to
   a line such as "an error if probe() returns 7 at line 12", and *at to the place of the first assumption. Requires that the trace
   replays on the program and violates the property. */
bool assumed_text(Buf *out, Position *at, const Program *, const Question *, const Trace *);
