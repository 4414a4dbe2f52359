/* SPDX-License-Identifier: Apache-2.0 */
/* WitnessInvariants of the engine explicit that all states were visited, and their check (up to STATES_AT_ONCE in the verifier itself, up to FEW of again.c
   completely, beyond that by executions at random): a second run that looks for a violation (engine/explicit/again.c). */
#pragma once
#include "engine/engine.h"

/* So few that a process for the second run takes longer than the run. */
enum { STATES_AT_ONCE = 2000 };
bool states_need_check(const Engine *, const Program *, const Verdict *);
/* The task of the second run, from that of the first. It has its own statistics. */
EngineTask states_check_task(const EngineTask *first, const Verdict *claim, Stats *);
/* Returns the verdict after the second run, and takes both: the claim, checked if all was visited again; or a violation. second: NULL if
   it has no result. */
Verdict *states_confirm(Verdict *claim, Verdict *second);
