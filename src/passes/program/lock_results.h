/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* LOCK and UNLOCK of a normal mutex always succeed: their results become assignments of 0, for constant propagation to
   see (without it the way out of pthread_cond_wait that has not locked again would seem possible).

   requires  a well-formed program whose mutexes are normal (mutex-kinds; build_system refuses others)
   ensures   no LOCK or UNLOCK has a result; locations and actions are the same
   breaks    nothing */
void lock_results(Program *);
