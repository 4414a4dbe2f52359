/* SPDX-License-Identifier: Apache-2.0 */
/* Finds exclusive writers: which thread owns a variable. A thread owns a variable if no other thread writes it, except its creator before
   the creation. A thread marked many owns no variables. */
#pragma once
#include "system/system.h"

typedef struct ExclusiveWriters ExclusiveWriters;
ExclusiveWriters *writers_new(const System *);
void writers_free(ExclusiveWriters *);
/* True if the thread owns the variable at all locations of the thread. */
bool writers_own(const ExclusiveWriters *, unsigned thread, unsigned variable);
/* True if the thread owns the variable at this location. Main also owns a variable if all other threads that write it are not created
   yet. */
bool writers_own_at(const ExclusiveWriters *, unsigned thread, unsigned location, unsigned variable);
/* True if the global variable never decreases after the creation of the thread. */
bool writers_grows(const ExclusiveWriters *, unsigned thread, unsigned variable);
/* Returns the only thread that creates this one; NONE if there are several creators or no creator. */
unsigned writers_creator(const System *, unsigned thread);
