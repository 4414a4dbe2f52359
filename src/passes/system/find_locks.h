/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Variables that the program uses as locks are marked as such, with a ghost variable for the holder; see
   find_locks.c. */
void find_locks(System *, Smt *);
