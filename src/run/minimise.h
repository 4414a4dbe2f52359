/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the schedule of a violation simpler: fewer decisions lead to the same violation. */
#pragma once
#include "run/run.h"

void minimise(const Program *, const Config *, Violation *);
/* Returns whether the last run has this finding; then *finding is how it was found there. */
bool minimise_found(const Finding *, Finding *finding);
