/* SPDX-License-Identifier: Apache-2.0 */
/* Random interleavings, in which accesses may race that never meet: nothing orders them, since atomic accesses are too weak. */
#ifndef HEDDLE_STRATEGY_UNORDERED_H
#define HEDDLE_STRATEGY_UNORDERED_H
#include "engine/engine.h"

Verdict *unordered_hunt(const EngineTask *); /* UNSAFE, or NULL: none was found */

#endif
