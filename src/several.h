/* SPDX-License-Identifier: Apache-2.0 */
/* Several properties in one run. */
#ifndef HEDDLE_SEVERAL_H
#define HEDDLE_SEVERAL_H
#include "output/deliver.h"
#include "process/job.h"

/* Runs the job for each property of the set (bit p: property p), one after the other, each in its part of the time that is left until the end; what is left then is for
   those that had too little. The verdicts' lines are printed as they come; in *out are the violations, the worst first, then the rest. The exit code of all: UNSAFE if one is, SAFE if all are. */
int several_run(Job *, unsigned set, double end, int (*run)(Job *, Output *), Output *out);

#endif
