/* SPDX-License-Identifier: Apache-2.0 */
/* A system with weaker guards has more executions: a proof of it is one of the program, an error of it need not be
   an error of the program. What goes are conditions that only keep C's arithmetic defined or tell numbers apart
   modulo a power of two: in integers sums are sums without them, and steps commute that otherwise do not. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* True if some guard is weaker than it was. */
bool weaken_guards(System *, Smt *);
