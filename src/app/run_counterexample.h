/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the counterexample of a violation that `heddle run` found, as a counterexample like those of the engines. */
#pragma once
#include "app/run_result.h"
#include "explain/counterexample.h"

/* The caller frees the counterexample. `program`: the file of the program. all: show all steps, not only those on which the
   violation depends. */
Counterexample *run_counterexample(const RunResult *, const RunViolation *, const char *program, bool all);
