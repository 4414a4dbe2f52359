/* SPDX-License-Identifier: Apache-2.0 */
/* The engines there are, by name. */
#ifndef HEDDLE_STRATEGY_ENGINES_H
#define HEDDLE_STRATEGY_ENGINES_H
#include "process/job.h"

/* Sets engine and automatic. False: *error says why there is none of that name. */
bool engines_choose(Job *, Buf *error);
/* The property whose violations become errors before that engine looks for errors; PROPERTY_UNREACH_CALL: none's, it
   knows how to look for others. */
Property engines_asks(const Engine *, Property);
/* A line each, for --help. */
void engines_list(Buf *);
/* --dump-blocks, --dump-chc: by the engine that can show it. */
void engines_show(const Job *, EngineView, Buf *);
/* --dump-after: with the settings of the engine; of auto, those of redcomp. False: *error says why there is nothing. */
bool engines_dump_after(const Job *, Buf *out, Buf *error);

#endif
