/* SPDX-License-Identifier: Apache-2.0 */
/* From a trace to what a native run needs (native/steps.h), by replay. */
#pragma once
#include "native/steps.h"
#include "result/question.h"

NativeRun *native_run(const Program *, const Question *, const Trace *);
