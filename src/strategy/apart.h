/* SPDX-License-Identifier: Apache-2.0 */
/* The property no-data-race, before any engine runs: it is asked as errors (job->asked). What locks, creation and joins keep apart is not asked. */
#ifndef HEDDLE_STRATEGY_APART_H
#define HEDDLE_STRATEGY_APART_H
#include "process/job.h"
#include "result/verdict.h"

/* SAFE, if all accesses are kept apart, with the proof checked; UNKNOWN, if it cannot be asked; NULL: it is left to the engines. */
Verdict *apart(Job *);

#endif
