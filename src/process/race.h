/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `auto`: all engines, side by side. */
#ifndef HEDDLE_PROCESS_RACE_H
#define HEDDLE_PROCESS_RACE_H
#include "process/job.h"

/* The first answer, and who gave it (job->engine); or why there is none. */
Verdict *race(Job *);

#endif
