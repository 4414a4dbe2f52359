/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares systems and makes verdicts for the engines that work on a system of the program.

   An engine makes one attempt for each arithmetic. An attempt prepares a system, and ends with a proof or a schedule of that system. */
#pragma once
#include "engine/engine.h"
#include "passes/prepare.h"
#include "passes/schedule_trace.h"

/* Attempts the task with INTEGERS or BITVECTORS until `deadline` (clock_seconds). */
typedef Verdict *(*Attempt)(const EngineTask *, double deadline, Arithmetic);

/* Returns the arithmetic of the first attempt. */
Arithmetic first_arithmetic(const EngineTask *);
/* Runs the attempt with the arithmetic of the task's options. With ARITHMETIC_AUTO, it is run with integers, and again with bit-vectors if
   the first verdict is UNKNOWN and at least half of the time is left. The first verdict is returned if both are UNKNOWN. */
Verdict *attempt_arithmetics(const EngineTask *, Attempt);

/* Shows a line of progress, if the task wants progress. */
void symbolic_progress(const EngineTask *, const char *line);
/* Makes the system of the task's program. Returns NULL, or UNKNOWN with a reason that names the engine. The caller frees the chain in either
   case. */
Verdict *symbolic_prepare(const EngineTask *, Chain *, PassSettings, const char *engine);
/* Returns SAFE with the proof, which the verdict owns. */
Verdict *symbolic_safe(Proof *);
/* Returns UNSAFE with the trace of a schedule of n steps, or NULL if no execution of the program follows the schedule. */
Verdict *symbolic_unsafe(const EngineTask *, const Chain *, const ScheduleStep *, size_t n);
/* Returns UNSAFE with the trace of a schedule of n steps. Returns UNKNOWN if the schedule ends at a STOP, or if no execution of the program
   follows it. */
Verdict *symbolic_end(const EngineTask *, const Chain *, const ScheduleStep *, size_t n, const char *engine);
