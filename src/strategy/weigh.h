/* SPDX-License-Identifier: Apache-2.0 */
/* What "no data race" is worth where atomic accesses are weaker than sequentially consistent. */
#ifndef HEDDLE_STRATEGY_WEIGH_H
#define HEDDLE_STRATEGY_WEIGH_H
#include "engine/engine.h"

/* task: the question about the program as it is; idle: no two accesses can race, whatever atomic accesses do. */
Verdict *weigh(const EngineTask *, bool idle, Verdict *);

#endif
