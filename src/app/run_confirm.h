/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the real program for a second opinion on SAFE. */
#pragma once
#include "output/results.h"

/* Runs schedules of the program if a property is SAFE. A property that a schedule violates becomes an internal error. */
void run_confirm(Results *, double start);
