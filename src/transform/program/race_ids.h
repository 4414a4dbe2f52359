/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread a JOIN waits for, in a program in which a template is one thread or marked many. */
#ifndef HEDDLE_TRANSFORM_PROGRAM_RACE_IDS_H
#define HEDDLE_TRANSFORM_PROGRAM_RACE_IDS_H
#include "ir/program.h"

typedef struct Ids Ids;
Ids *ids_new(const Program *);
void ids_free(Ids *);
/* The template whose thread it is, if the number can be no other's; ~0u: not known. */
unsigned ids_joined(Ids *, const Template *, const Action *, unsigned instr);

#endif
