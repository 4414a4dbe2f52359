/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a proof by the rule `reduced`: a graph of interleavings that represents all. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* Adds the graph and the order of threads. Without `all`, a large graph is replaced by the assertions that it uses. */
void reduction_text(Buf *, Display *, const Proof *, bool all);
