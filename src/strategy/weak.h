/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose memory is weaker than sequential consistency: how an engine that knows nothing of it decides them. */
#ifndef HEDDLE_STRATEGY_WEAK_H
#define HEDDLE_STRATEGY_WEAK_H
#include "analysis/delays.h"
#include "engine/engine.h"

/* Is the property decided for a program in which stores may be late? Of others it is said only where none can be. */
bool weak_has_buffers(Property);

/* The program under TSO or PSO, as one under sequential consistency: with store buffers that are so deep; 0: no store can be late in a way that
   others notice. NULL: there is no such program. delays: NULL if they are not known. */
Program *weak_program(const Program *, const Delays *, unsigned depth);

typedef Verdict *WeakRun(const Engine *, EngineTask *);
/* run: decides the task as if memory were sequentially consistent. known: which stores may be late, if that is known of the program; NULL: it is not. */
Verdict *weak_run(const Engine *, EngineTask *, const Delays *known, WeakRun *run);

#endif
