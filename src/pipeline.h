/* SPDX-License-Identifier: Apache-2.0 */
/* From options to an exit code. */
#ifndef HEDDLE_PIPELINE_H
#define HEDDLE_PIPELINE_H
#include "app/options.h"

/* The whole run; `start` is when it began (now()). Prints the verdict; returns the exit code. */
int pipeline_run(const Options *, double start);

#endif
