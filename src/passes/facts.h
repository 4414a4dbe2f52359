/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the facts that passes require and ensure. */
#pragma once
#include "passes/passes.h"

/* True if the fact holds for the program or system of the chain. True as well for a fact that cannot be decided there. */
bool fact_holds(FactBit, const Chain *);
