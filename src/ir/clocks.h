/* SPDX-License-Identifier: Apache-2.0 */
/* Which accesses of an interleaving C11 orders, and which conflict and are not ordered: a data race, though others may come between the two.
   Every interleaving of the program, each read taking what was written last, is an execution of C11; in it atomic accesses order others only as far as their
   memory orders say. Where it is not plain whether something orders, it does here: what is found is a race, but not every race is found. */
#pragma once
#include "ir/step.h"

typedef struct Clocks Clocks;

/* The first of two accesses that race. */
typedef struct ClockedAccess {
    size_t step; /* the number of its step, from 0 */
    unsigned thread;
    const Action *action;
    Access access;
} ClockedAccess;

Clocks *clocks_new(void);
void clocks_free(Clocks *);
/* The next step, and what it does. True: *first and *second, one of its accesses, race. */
bool clocks_step(Clocks *, unsigned thread, const Action *, const Access *, size_t n, ClockedAccess *first, Access *second);
