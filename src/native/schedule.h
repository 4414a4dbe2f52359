/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a trace, by replay, to the turns and inputs of a native run (native/steps.h). */
#pragma once
#include "native/steps.h"
#include "result/question.h"

NativeRun *native_run_of_trace(const Program *, const Question *, const Trace *);
