/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the files of a native run: the schedule, and files that are the same for all runs. */
#pragma once
#include "native/steps.h"
#include "explain/counterexample.h"

/* Prints schedule.c. arguments are those of main, or NULL. */
void native_schedule(Buf *, const NativeRun *, const Trace *, const Counterexample *, const char *arguments);

typedef struct NativeFile {
    const char *name, *text;
} NativeFile;
extern const NativeFile native_files[]; /* ends with a NULL name */
