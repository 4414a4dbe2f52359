/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Keep what matters to one property (a bit of Matters); see focus.c. */
void focus(Program *, Matters property);
