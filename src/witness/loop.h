/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "engine/explicit/inputs.h"
#include "result/trace.h"

/* A way from the state back to itself, of steps that are added to the trace. False: none was found among the nearest states. */
bool loop_find(const Program *, Machine *, Inputs *, const State *, Trace *);
