/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose memory is weaker than sequential consistency: how an engine that knows nothing of it decides them. */
#ifndef HEDDLE_WEAK_H
#define HEDDLE_WEAK_H
#include "engine/engine.h"

typedef Verdict *WeakRun(const Engine *, EngineTask *);
/* run: decides the task as if memory were sequentially consistent. */
Verdict *weak_run(const Engine *, EngineTask *, WeakRun *run);

#endif
