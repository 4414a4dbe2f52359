/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a schedule of the system into a trace of the original program. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"
#include "result/translation.h"

typedef struct ScheduleStep {
    unsigned thread, transition;
} ScheduleStep;

/* Returns the trace of the original program that the schedule stands for. NULL if the original program has no such execution, since the
   system may have more behaviour. now: the program of which the system was made. The translation leads from there to the original. */
Trace *schedule_trace(const Program *original, const Program *now, const Translation *, const System *, Smt *, const ScheduleStep *steps,
                      size_t n);
