/* SPDX-License-Identifier: Apache-2.0 */
/* --native DIR: a program that takes the steps of a trace natively. The worker gathers what it is made of, the supervisor makes it. */
#pragma once
#include "ir/loaded.h"
#include "options/options.h"
#include "explain/counterexample.h"
#include "result/verdict.h"

/* What is written to DIR, for native_make; nothing where there is nothing to run. */
void native_gather(Buf *, const Program *, const Question *, const Loaded *, const Verdict *, const Counterexample *, const char *args);
/* False: it could not be made, and stderr says why. */
bool native_make(const Buf *, const Options *);
/* Is a file of this name made in DIR? */
bool native_writes(const char *name);
