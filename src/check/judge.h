/* SPDX-License-Identifier: Apache-2.0 */
/* What is believed of a verdict. */
#ifndef HEDDLE_CHECK_JUDGE_H
#define HEDDLE_CHECK_JUDGE_H
#include "process/job.h"

/* A trace must replay, and assume nothing: UNKNOWN with the reason, if it does. */
Verdict *judge_witness(const Job *, Verdict *);
/* What is published: the verdict if its witness checks, else UNKNOWN. */
Verdict *judge(Job *, Verdict *);
/* Is there an execution that reaches an assertion, of a program that was proved? If none is found, that is told. */
Verdict *judge_vacuity(Job *, Verdict *);

#endif
