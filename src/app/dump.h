/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the output of passes (--dump-after), and the input of the engine redcomp (--dump-blocks, --dump-chc). */
#pragma once
#include "passes/loaded.h"
#include "process/config.h"

/* Adds the names of all passes and their summaries. */
void dump_list(Buf *);
/* Returns whether there is a pass of that name. Otherwise sets *error, which names the option that lists them. */
bool dump_knows(const char *pass, Buf *error);
/* Adds the program, system or blocks that the pass makes for the question. The settings are those of the engine, or of redcomp if the
   user named no engine. Returns false if the pass does not run, and sets *error to its condition or the obstacle. */
bool dump_after(const char *pass, const Config *, const Loaded *, const Question *, Buf *out, Buf *error);
/* Adds the program of the question. */
void dump_ir(const Loaded *, const Question *, Buf *);
/* Adds the blocks or the Horn clauses of redcomp. */
void dump_view(const Config *, const Loaded *, const Question *, EngineView, Buf *);
