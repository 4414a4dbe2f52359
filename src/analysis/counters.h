/* SPDX-License-Identifier: Apache-2.0 */
/* Finds counters: variables whose new values are computed from their old ones. */
#pragma once
#include "ir/program.h"

/* Returns, for each local of the template and then for each global, whether the template computes it from itself, perhaps by other
   variables. Assignments of other templates do not count. The vec belongs to the caller. */
bool *counters_of(const Program *, const Template *);
