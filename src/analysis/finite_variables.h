/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables take few constants, whatever happens? They are assigned constants, each other, or what follows from each other. */
#pragma once
#include "system/system.h"

/* By variable, a vec. */
bool *finite_valued_variables(const System *);
