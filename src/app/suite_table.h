/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"
#include "app/tasks.h"

/* Prints the table of the tasks on stdout, and writes results.csv and results.html to the folder of results. results: by task, the files
   of results. Returns the exit code. */
int suite_table(const Options *, const Task *, char *const *results);

/* Returns whether the file has a verdict. */
bool suite_answered(const char *result);
/* Writes the result of a run that ended without a verdict. said: its output on stderr. */
void suite_put_error(const char *result, int code, const char *said);
