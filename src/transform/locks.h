/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_LOCKS_H
#define HEDDLE_TRANSFORM_LOCKS_H
#include "smt/smt.h"
#include "verdict/system.h"

/* Variables that the program uses as locks are marked as such, with a ghost variable for the holder; see locks.c. */
void find_locks(System *, Smt *);

#endif
