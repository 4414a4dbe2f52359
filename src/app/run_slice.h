/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the steps of a violation that its counterexample shows. */
#pragma once
#include "app/run_result.h"

/* Returns a vec with a flag for each step: whether it is shown. `candidates` has the same form: steps that may be shown. `lines` returns how many
   lines the flagged steps take. */
bool *run_slice(const RunViolation *, const bool *candidates, size_t (*lines)(void *context, const bool *shown), void *context);
