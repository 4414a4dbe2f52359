/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* An input that is used as an index, of a transition that is taken once at most, is chosen at the start: it becomes
   a global variable that has any value and keeps it. Executions are the same; but proofs can speak of the element
   that will be looked at, where otherwise they would have to speak of all. */
void foresee_indices(System *);
