/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"
#include <signal.h>
#include <stddef.h>

typedef struct SlurmTask {
    const char **command; /* a vec, without a NULL at the end */
    const char *result;   /* the file to which the command writes its result */
} SlurmTask;

/* Runs the tasks as arrays of jobs of Slurm and waits for them. When *stopped is set, cancels them. done is called repeatedly, to show
   progress. Returns false and sets *error on failure. */
bool suite_slurm(const Options *, const SlurmTask *, volatile sig_atomic_t *stopped, void (*done)(void *context), void *context,
                 Buf *error);
