/* SPDX-License-Identifier: Apache-2.0 */
/* All executions of a program whose memory is C11's, as graphs (ir/rc11.h). */
#ifndef HEDDLE_ENGINE_GRAPHS_GRAPHS_H
#define HEDDLE_ENGINE_GRAPHS_GRAPHS_H
#include "engine/engine.h"

Verdict *graphs_run(const EngineTask *);

#endif
