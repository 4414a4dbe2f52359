/* SPDX-License-Identifier: Apache-2.0 */
/* Programs under TSO whose executions are the sequentially consistent ones, though stores may be late. */
#ifndef HEDDLE_ROBUST_H
#define HEDDLE_ROBUST_H
#include "job.h"
#include "verdict/verdict.h"

/* Of a program whose memory is TSO. decide: the job, as it is, with buffers, or under sequential consistency if its program is. */
Verdict *robust_run(Job *, Verdict *(*decide)(Job *));

#endif
