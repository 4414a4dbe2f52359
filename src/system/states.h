/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a small system, by evaluation alone: no solver, no analysis. It is what passes over systems are compared by.

   Of inputs, and of variables without an initial value, a few small values are tried: what is visited can be reached, but perhaps not everything
   that can be reached is visited. A variable without an initial value gets one when it is read first. Of a kind of threads that exists in any
   number there are two: a thread and its twin. A transition whose guard or values cannot be evaluated (a fault) is not taken. */
#ifndef HEDDLE_SYSTEM_STATES_H
#define HEDDLE_SYSTEM_STATES_H
#include "system/system.h"

typedef struct SystemPlace {
    unsigned thread, location;
} SystemPlace;

typedef struct SystemStates {
    SystemPlace *errors; /* a vec: the error locations that are reached, once each, in the order in which they are found */
    size_t count;        /* states visited */
    bool complete;       /* false: there are more states, or choices of a transition, than were to be visited */
    bool faults;         /* something could not be evaluated */
    bool arrays;         /* there are arrays of any value: only those were tried that are 0 but for 1 in some of the first places */
} SystemStates;

/* At most so many states. */
void system_states(const System *, size_t most, SystemStates *);
void system_states_free(SystemStates *);

#endif
