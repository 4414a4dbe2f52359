/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "analysis/interference.h"

/* Conditions that hold whenever a thread is at a location, because it tested them before, or its creator did, and
   nobody has changed what they are about since. */
typedef struct KnownConditions {
    const System *system;
    const Seen *seen;
    unsigned *const *fine_location; /* by thread, location */
    const Expr ***inherited;        /* by thread: a vec */
    bool *created;                  /* by thread: there is something to inherit */
} KnownConditions;

KnownConditions known_conditions_new(const System *, const Seen *, unsigned *const *fine_location);
/* By location (a vec): a formula. Creators come before those they create. */
const Expr **known_conditions(KnownConditions *, unsigned thread);
void known_conditions_free(KnownConditions *);
