/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variables that only take a few constants. All their values are constants, values of each other, or computed from each other. */
#pragma once
#include "system/system.h"

/* Returns a vec by variable, which the caller frees: true if the variable takes few values. */
bool *finite_valued_variables(const System *);
