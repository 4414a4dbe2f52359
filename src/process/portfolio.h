/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the engines side by side, until one of them answers. */
#pragma once
#include "process/worker.h"

/* Returns the first answer that is accepted, with the name of its engine; or UNKNOWN with the reason that a user can do most about. */
Verdict *portfolio_run(const Work *);
/* Returns the engine of that name, or NULL. */
const Engine *engine_named(const char *name);
/* Adds a line for each engine, for --help, or their names. */
void engines_list(Buf *);
void engines_names(Buf *);
/* Tells whether the user lets the engine take part, and it supports the question about a program with that memory. */
bool engine_takes_part(const Config *, const Engine *, const Question *, MemoryModel);
