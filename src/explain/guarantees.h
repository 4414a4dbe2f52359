/* SPDX-License-Identifier: Apache-2.0 */
/* What threads guarantee of their steps and rely on of those of others. */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* One line: whether each thread is looked at by itself, and if not, why. */
void guarantees_kind(Buf *, const Display *, const Proof *);
/* Thread by thread: what it guarantees of each step. */
void guarantees_text(Buf *, Display *, const Proof *);
/* Of one thread: what is said of its steps, each way once. A vec of texts of the system's arena. *left_out: set if something is not for display. */
const char **guarantees_ways(Display *, const Proof *, unsigned thread, bool *left_out);
