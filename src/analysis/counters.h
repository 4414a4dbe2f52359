/* SPDX-License-Identifier: Apache-2.0 */
/* Variables whose new values are computed from their old ones. */
#pragma once
#include "ir/program.h"

/* By variable, locals of the template first, then globals (a vec, the caller's to free): does the template compute it from itself, perhaps by way of
   others? What other templates do does not count. */
bool *counters_of(const Program *, const Template *);
