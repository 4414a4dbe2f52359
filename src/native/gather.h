/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the files of --native DIR: a program that takes the steps of a trace natively. The worker gathers their contents, and the
   supervisor writes them. */
#pragma once
#include "ir/loaded.h"
#include "options/options.h"
#include "explain/counterexample.h"
#include "result/verdict.h"

/* Appends bitcode and schedule to the Buf, for native_build_program. Appends nothing if the verdict has no trace or the program no bitcode. */
void native_collect(Buf *, const Program *, const Question *, const Loaded *, const Verdict *, const Counterexample *, const char *args);
/* Writes DIR and builds the program. Returns false if this fails, after an error message on stderr. */
bool native_build_program(const Buf *, const Options *);
/* Returns true if native_build_program writes a file of this name. */
bool native_writes(const char *name);
