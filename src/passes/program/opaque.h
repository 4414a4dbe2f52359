/* SPDX-License-Identifier: Apache-2.0 */
/* The values that C leaves open: addresses as numbers, the order and neighbourhood of objects, ids of threads. */
#ifndef HEDDLE_PASSES_PROGRAM_OPAQUE_H
#define HEDDLE_PASSES_PROGRAM_OPAQUE_H
#include "ir/program.h"

/* True if the program was changed. */
bool opaque(Program *);

#endif
