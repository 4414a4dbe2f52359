/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether other threads may affect or observe a transition: whether a thread that may run in parallel accesses its variables. */
#pragma once
#include "system/system.h"

typedef struct Interference Interference;
/* Analyses a system with a transition for each action. A system composed from it shares its locations, so the other functions also take
   locations and transitions of that system. An answer about a composed transition covers all actions that it is composed of. */
Interference *interference_new(const System *fine);
void interference_free(Interference *);
/* True if another thread may write the variable while this thread is at the location. any: a read counts as well. */
bool interference_with_variable(const Interference *, unsigned thread, unsigned location, unsigned variable, bool any);
/* True if another thread may affect or observe the transition of this thread while this thread is at the location. */
bool interference_with_transition(const Interference *, const System *, unsigned thread, unsigned location, const Transition *);
