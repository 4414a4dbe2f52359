/* SPDX-License-Identifier: Apache-2.0 */
/* From a schedule of the system to a trace of the original program. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"
#include "result/translation.h"

typedef struct ScheduleStep {
    unsigned thread, transition;
} ScheduleStep;

/* NULL: the schedule is not one of the original program (the system has more behaviours than it). */
Trace *schedule_trace(const Program *original, const Program *now, const Translation *, const System *, Smt *, const ScheduleStep *steps,
                      size_t n);
