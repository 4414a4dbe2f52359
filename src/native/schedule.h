/* SPDX-License-Identifier: Apache-2.0 */
/* From a trace to what a native run needs (native/steps.h), by replay. */
#ifndef HEDDLE_NATIVE_SCHEDULE_H
#define HEDDLE_NATIVE_SCHEDULE_H
#include "native/steps.h"
#include "result/question.h"

NativeRun *native_run(const Program *, const Question *, const Trace *);

#endif
