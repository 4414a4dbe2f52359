/* SPDX-License-Identifier: Apache-2.0 */
/* What happens in a counterexample, in words. */
#pragma once
#include "explain/counterexample.h"

const char *counterexample_thread(const Counterexample *, unsigned thread); /* its name */
/* All events of a moment, with commas; the middle of a long list is left out. */
void line_events(const Counterexample *, Buf *, const TraceLine *);
