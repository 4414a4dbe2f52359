/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "passes/passes.h"

/* Is it so? True also where nobody can tell. */
bool fact_holds(FactBit, const Chain *);
