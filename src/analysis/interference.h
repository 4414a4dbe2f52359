/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether other threads may affect or observe a transition: whether a thread that may run in parallel accesses its variables. */
#pragma once
#include "system/system.h"

typedef struct Seen Seen;
/* Analyses a system with a transition for each action. A system composed from it shares its locations, so the other functions also take
   locations and transitions of that system. An answer about a composed transition covers all actions that it is composed of. */
Seen *seen_new(const System *fine);
void seen_free(Seen *);
/* True if another thread may write the variable while this thread is at the location. any: a read counts as well. */
bool seen_variable(const Seen *, unsigned thread, unsigned location, unsigned variable, bool any);
/* True if another thread may affect or observe the transition of this thread while this thread is at the location. */
bool seen_transition(const Seen *, const System *, unsigned thread, unsigned location, const Transition *);
