/* SPDX-License-Identifier: Apache-2.0 */
/* --dump-after: what a pass makes. */
#ifndef HEDDLE_APP_DUMP_H
#define HEDDLE_APP_DUMP_H
#include "engine/engine.h"

/* "list" or "help": all names are asked for. */
bool dump_is_list(const char *pass);
/* The names of all passes, and what they do. */
void dump_list(Buf *);
/* Is there a pass of that name? Otherwise *error says which there are. */
bool dump_knows(const char *pass, Buf *error);
/* The program, system or blocks that the pass makes, with the settings of the engine and with that property
   made errors: the program has the passes of the first table behind it. False: the pass is not run, *error says when it is or what stands in the way. */
bool dump_after(const char *pass, const Engine *, const EngineTask *, Property asks, Buf *out, Buf *error);

#endif
