/* SPDX-License-Identifier: Apache-2.0 */
/* Finds data races of C11 in an interleaving: two conflicting accesses that happens-before does not order, even if they are not
   adjacent. Every interleaving of the program, in which each read takes the last write, is an execution of C11. In that execution atomic
   accesses order other accesses only as far as their memory orders do. In case of doubt an operation counts as ordering: each report is
   a race, but some races are missed. */
#pragma once
#include "ir/step.h"

typedef struct Clocks Clocks;

/* An access of a step. */
typedef struct ClockedAccess {
    size_t step; /* the number of the step, from 0 */
    unsigned thread;
    const Action *action;
    Access access;
} ClockedAccess;

Clocks *clocks_new(void);
void clocks_free(Clocks *);
/* Adds the next step with its n accesses. Returns true if an access *second of it races with an earlier access *first. */
bool clocks_step(Clocks *, unsigned thread, const Action *, const Access *, size_t n, ClockedAccess *first, Access *second);
/* Returns an atomic access that would order the thread behind the access if it acquired or released: preferably one that passes a value
   from one to the other. NULL if no thread has read what another wrote by such an access. */
const Instr *clocks_too_weak(const Clocks *, const ClockedAccess *first, unsigned thread);
