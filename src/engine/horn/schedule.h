/* SPDX-License-Identifier: Apache-2.0 */
/* From a schedule of the system to a trace of the original program. */
#ifndef HEDDLE_ENGINE_HORN_SCHEDULE_H
#define HEDDLE_ENGINE_HORN_SCHEDULE_H
#include "engine/horn/product.h"
#include "verdict/translation.h"

/* NULL: the schedule is not one of the original program (the system has more behaviours than it). */
Trace *schedule_trace(const Program *original, const Program *now, const Translation *, const System *, Smt *,
                      const ScheduleStep *steps, size_t n);

#endif
