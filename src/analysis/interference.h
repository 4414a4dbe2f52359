/* SPDX-License-Identifier: Apache-2.0 */
/* What other threads see of a thread's transitions: whether they have to do with variables that a thread which may run meanwhile touches. */
#pragma once
#include "system/system.h"

typedef struct Seen Seen;
/* Of a system with a transition for each action. Locations are its locations; those of one made from it by composition are among
   them, and what holds of its transitions holds of the actions they are composed of. */
Seen *seen_new(const System *fine);
void seen_free(Seen *);
/* While a thread is at a location, may another write the variable? Or read it, if any. */
bool seen_variable(const Seen *, unsigned thread, unsigned location, unsigned variable, bool any);
/* While a thread is at a location, may another thread do what makes a difference to the transition (of that thread), or notice it? */
bool seen_transition(const Seen *, const System *, unsigned thread, unsigned location, const Transition *);
