/* SPDX-License-Identifier: Apache-2.0 */
/* From a trace to what a native run needs (verdict/native.h), by replay. */
#ifndef HEDDLE_CHECK_NATIVE_H
#define HEDDLE_CHECK_NATIVE_H
#include "verdict/native.h"

NativeRun *native_run(const Program *, const Trace *);

#endif
