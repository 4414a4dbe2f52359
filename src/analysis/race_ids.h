/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread a JOIN waits for, where a thread is that of a template, or of a CREATE. */
#pragma once
#include "base/map.h"
#include "ir/program.h"

typedef struct Ids Ids;
/* threads: Instr of a CREATE → number of the thread that it creates, + 1, where it is not that of the template. */
Ids *ids_new(const Program *, const Map *threads);
void ids_free(Ids *);
/* The thread, if the number can be no other's; ~0u: not known. */
unsigned ids_joined(Ids *, const Template *, const Action *, unsigned instr);
