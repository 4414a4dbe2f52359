/* SPDX-License-Identifier: Apache-2.0 */
/* Another question about another program, on the way to the verdict. */
#ifndef HEDDLE_STRATEGY_ASIDE_H
#define HEDDLE_STRATEGY_ASIDE_H
#include "process/job.h"
#include "result/verdict.h"

/* What is believed of it at the latest then. decide: a job. The program must live as long as the verdict. */
Verdict *aside(Job *, const Program *, Property, double deadline, Verdict *(*decide)(Job *));
/* A certificate that is about two things: this one, of which it is said what it is, in front of that of the verdict. first: NULL: there is none, and why is said instead. */
void aside_certificate(Verdict *, const char *said, const char *first, const char *instead);
/* The program under sequential consistency. */
Program *aside_sc(const Program *);

#endif
