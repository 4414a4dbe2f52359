/* SPDX-License-Identifier: Apache-2.0 */
/* Shows what passes make (--dump-after) and what redcomp works on (--dump-blocks, --dump-chc). */
#pragma once
#include "passes/loaded.h"
#include "process/config.h"

/* Adds the names of all passes, and what they do. */
void dump_list(Buf *);
/* Tells whether there is a pass of that name. Otherwise *error says which there are. */
bool dump_knows(const char *pass, Buf *error);
/* Adds the program, system or blocks that the pass makes, with the settings of the engine (without one, those of redcomp) and the question.
   False: the pass is not run, *error says when it is or what stands in the way. */
bool dump_after(const char *pass, const Config *, const Loaded *, const Question *, Buf *out, Buf *error);
/* Adds the program of the question. */
void dump_ir(const Loaded *, const Question *, Buf *);
/* Adds the blocks or the Horn clauses of redcomp. */
void dump_view(const Config *, const Loaded *, const Question *, EngineView, Buf *);
