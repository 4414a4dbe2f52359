/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the claim of the engine explicit that it visited all states, by a second run that searches for a violation
   (engine/explicit/again.c). Up to STATES_AT_ONCE states, the second run happens in the verifier itself. Up to FEW states (again.c), it
   visits all of them; beyond, it tries random executions. */
#pragma once
#include "engine/engine.h"

/* The number of states up to which the second run takes less time than to start a process. */
enum { STATES_AT_ONCE = 2000 };
bool states_need_check(const Engine *, const Program *, const Verdict *);
/* Returns the task of the second run, made from the task of the first. stats: the counters of the second run. */
EngineTask states_check_task(const EngineTask *first, const Verdict *claim, Stats *);
/* Returns the verdict after the second run: the claim, checked if the run confirms it, or a violation. Takes both verdicts; second is
   NULL if the run had no result. */
Verdict *states_confirm(Verdict *claim, Verdict *second);
