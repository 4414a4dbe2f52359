/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects' addresses may get from a thread to another by an atomic access that orders nothing. What the first did to such an object before need not
   happen before what the other does to it. */
#pragma once
#include "analysis/pointsto.h"

bool *passed_weakly(const Program *, PointsTo *); /* a vec, by object */
