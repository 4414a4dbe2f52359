/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a native run: its schedule, and those that are always the same. */
#pragma once
#include "native/steps.h"
#include "explain/counterexample.h"

/* schedule.c; arguments: of main, or NULL. */
void native_schedule(Buf *, const NativeRun *, const Trace *, const Counterexample *, const char *arguments);

typedef struct NativeFile {
    const char *name, *text;
} NativeFile;
extern const NativeFile native_files[]; /* ends with a NULL name */
