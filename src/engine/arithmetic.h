/* SPDX-License-Identifier: Apache-2.0 */
/* Which arithmetic a symbolic engine works with: integers, and bit-vectors where these do not decide. */
#pragma once
#include "engine/engine.h"

/* The engine's attempt with INTEGERS or BITVECTORS; it has until `deadline` (clock_seconds). */
typedef Verdict *(*Attempt)(const EngineTask *, double deadline, Arithmetic);

/* What is tried first. */
Arithmetic first_arithmetic(const EngineTask *);
/* As the task asks; by default bit-vectors follow if integers leave at least half of the time. */
Verdict *attempt_arithmetics(const EngineTask *, Attempt);
