/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"
#include <signal.h>
#include <stddef.h>

typedef struct SlurmTask {
    const char **command; /* a vec, without a NULL at the end */
    const char *result;   /* the file that it writes */
} SlurmTask;

/* Runs the tasks as arrays of jobs of Slurm and waits for them; until *stopped: then they are cancelled. done: called now and then, for progress.
   False: *error. */
bool suite_slurm(const Options *, const SlurmTask *, volatile sig_atomic_t *stopped, void (*done)(void *context), void *context,
                 Buf *error);
