/* SPDX-License-Identifier: Apache-2.0 */
/* Whose the variables of a system are. A variable is a thread's own if nobody else writes it, or only the creator before it creates the thread. Of
   many threads none has any. */
#pragma once
#include "system/system.h"

typedef struct ExclusiveWriters ExclusiveWriters;
ExclusiveWriters *writers_new(const System *);
void writers_free(ExclusiveWriters *);
bool writers_own(const ExclusiveWriters *, unsigned thread, unsigned variable);
/* Is it the thread's own at this location? What threads write that main has not created yet is main's, too. */
bool writers_own_at(const ExclusiveWriters *, unsigned thread, unsigned location, unsigned variable);
/* From the thread's creation on, the (global) variable never becomes less. */
bool writers_grows(const ExclusiveWriters *, unsigned thread, unsigned variable);
/* The only thread that creates it; NONE: there is none, or there are several. */
unsigned writers_creator(const System *, unsigned thread);
