/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "analysis/interference.h"

/* Computes the conditions that hold whenever a thread is at a location: the thread or its creator tested them before, and no thread has
   changed their variables since. */
typedef struct KnownConditions {
    const System *system;
    const Interference *seen;
    unsigned *const *fine_location; /* by thread and location: the location in the fine system */
    const Expr ***inherited;        /* by thread: a vec of the conditions that hold at its creation */
    bool *created;                  /* by thread: true if `inherited` is known from some creator */
} KnownConditions;

/* The arguments must outlive the result. */
KnownConditions known_conditions_new(const System *, const Interference *, unsigned *const *fine_location);
/* Returns a vec of formulas by location, which the caller frees. The function must be called for creators before the threads that they
   create. */
const Expr **known_conditions(KnownConditions *, unsigned thread);
void known_conditions_free(KnownConditions *);
