/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the counterexample of a trace by replaying it. */
#pragma once
#include "explain/counterexample.h"
#include "result/question.h"
#include "result/trace.h"

/* Returns the counterexample, which the caller frees. Requires that the trace replays on the program (replay_to_error, replay_to_fault). */
Counterexample *explain_trace(const Program *, const Question *, const Trace *);
