/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"
#include "app/tasks.h"

/* What became of the tasks, read from the files of results (by task): a table on stdout, results.csv and results.html beside them. The result: the exit code. */
int suite_table(const Options *, const Task *, char *const *results);

/* Is there a verdict in the file? */
bool suite_answered(const char *result);
/* The result of a run that ended without one, and why: what it said on stderr. */
void suite_put_error(const char *result, int code, const char *said);
