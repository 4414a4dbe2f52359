/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the events of a counterexample in words. */
#pragma once
#include "explain/counterexample.h"

const char *counterexample_thread(const Counterexample *, unsigned thread); /* the thread's name, or "a thread" */
/* Adds the events of a line, separated by commas, and its callers. The middle of a long list is left out. */
void line_events(const Counterexample *, Buf *, const TraceLine *);
