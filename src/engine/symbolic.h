/* SPDX-License-Identifier: Apache-2.0 */
/* What engines share that work on a system of the program: from a task to a system, in one arithmetic after the other; from a proof or a schedule of
   the system to a verdict. */
#pragma once
#include "engine/engine.h"
#include "passes/prepare.h"
#include "passes/schedule_trace.h"

/* The engine's attempt with INTEGERS or BITVECTORS; it has until `deadline` (clock_seconds). */
typedef Verdict *(*Attempt)(const EngineTask *, double deadline, Arithmetic);

/* What is tried first. */
Arithmetic first_arithmetic(const EngineTask *);
/* As the task asks; by default bit-vectors follow if integers leave at least half of the time. */
Verdict *attempt_arithmetics(const EngineTask *, Attempt);

void symbolic_progress(const EngineTask *, const char *line);
/* Makes the system. NULL, or why it cannot be done, said for that engine. Release it in either case. */
Verdict *symbolic_prepare(const EngineTask *, Chain *, PassSettings, const char *engine);
/* SAFE by the proof. */
Verdict *symbolic_safe(Proof *);
/* UNSAFE by the schedule; NULL: it is none of the program. */
Verdict *symbolic_unsafe(const EngineTask *, const Chain *, const ScheduleStep *, size_t n);
/* What a schedule leads to: UNSAFE, or UNKNOWN if it ends where something is not modelled or is none of the program. */
Verdict *symbolic_end(const EngineTask *, const Chain *, const ScheduleStep *, size_t n, const char *engine);
