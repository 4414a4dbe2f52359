/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the engines side by side until one of them answers. */
#pragma once
#include "process/worker.h"

/* Returns the first answer that is accepted, with the name of its engine. Otherwise returns UNKNOWN with the reason on which a user can
   best act. */
Verdict *portfolio_run(const Work *);
/* Returns the engine of that name, or NULL. */
const Engine *engine_named(const char *name);
/* Adds a line for each engine, for --help; engines_names adds their names. */
void engines_list(Buf *);
void engines_names(Buf *);
/* Returns the memory model of the programs that engines get. */
MemoryModel work_memory(const Work *);
/* Returns whether the user lets the engine take part, and it supports the question about a program with that memory model. */
bool engine_takes_part(const Config *, const Engine *, const Question *, MemoryModel);
