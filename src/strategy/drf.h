/* SPDX-License-Identifier: Apache-2.0 */
/* C11 programs in which nothing races but seq_cst atomics: their executions are the sequentially consistent ones. */
#ifndef HEDDLE_STRATEGY_DRF_H
#define HEDDLE_STRATEGY_DRF_H
#include "process/job.h"
#include "result/verdict.h"

/* Of a program whose memory is C11. decide: the job, under sequential consistency. The job's program may be another one then, by which the verdict is to be judged. */
Verdict *drf_run(Job *, Verdict *(*decide)(Job *));

/* A trace that says nothing of what is read from where is one under sequential consistency: of the program as it is then. */
void drf_replay(Job *, const Verdict *claim);

#endif
