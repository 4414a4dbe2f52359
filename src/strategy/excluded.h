/* SPDX-License-Identifier: Apache-2.0 */
/* What would exclude an execution of a program whose memory is weak. */
#ifndef HEDDLE_STRATEGY_EXCLUDED_H
#define HEDDLE_STRATEGY_EXCLUDED_H
#include "process/job.h"
#include "result/verdict.h"

/* Notes for an UNSAFE verdict of the job: that it cannot happen under sequential consistency, and which fences exclude it; each only if it is
   proved, in a short time. decide: a job. */
void excluded(Job *, Verdict *, Verdict *(*decide)(Job *));

#endif
