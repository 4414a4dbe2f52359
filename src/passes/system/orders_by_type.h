/* SPDX-License-Identifier: Apache-2.0 */
/* Of a number that is never less than 0, x != 0 is said as 0 < x, and x == 0 as x <= 0. It is the same, by the
   number's type; but what is less keeps being less when something is taken off, and so makes assertions that hold in
   the next round of a loop too. */
#pragma once
#include "system/system.h"

void orders_by_type(System *);
