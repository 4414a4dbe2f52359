/* SPDX-License-Identifier: Apache-2.0 */
/* Programs under TSO and PSO, in which stores may be late: whether others notice that, and what holds anyway. */
#ifndef HEDDLE_STRATEGY_ROBUST_H
#define HEDDLE_STRATEGY_ROBUST_H
#include "process/job.h"
#include "result/verdict.h"

/* Of a program whose memory is TSO or PSO. decide: the job, as it is, with buffers, or under sequential consistency if its program is. */
Verdict *robust_run(Job *, Verdict *(*decide)(Job *));

#endif
