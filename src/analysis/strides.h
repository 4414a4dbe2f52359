/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* What variables leave as remainders: those that start from constants and go on in steps that have a common divisor, as a vec of
   assertions x % d == r. Of a local it holds once it was set. They are hints: who uses one shows it. */
const Expr **strides(const System *);
/* The ranges that unsigned globals have by their types, of those that are set once: sums with them do not wrap around then. Hints as well. */
const Expr **ranges_set_once(const System *);
