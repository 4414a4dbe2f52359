/* SPDX-License-Identifier: Apache-2.0 */
/* Violations that were told already, marked in the program: engines look for others. Two are the same if they are at the same places of the source. */
#ifndef HEDDLE_CHECK_TOLD_H
#define HEDDLE_CHECK_TOLD_H
#include "check/replay.h"

enum { MOST_TOLD = 32 };

/* The violation that the trace ends with is the n-th (0 …). False: it has no place by which others could be told from it. An assertion that
   fails there ends the process from now on; a fault there ends the execution. */
bool told_mark(Program *, const Trace *, unsigned n);

#endif
