/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_FACTS_H
#define HEDDLE_PASSES_FACTS_H
#include "passes/passes.h"

/* Is it so? True also where nobody can tell. */
bool fact_holds(FactBit, const Chain *);

#endif
