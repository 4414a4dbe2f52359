/* SPDX-License-Identifier: Apache-2.0 */
/* The values that C leaves open: addresses as numbers, the order and neighbourhood of objects, ids of threads. */
#pragma once
#include "ir/program.h"

/* True if the program was changed. */
bool opaque(Program *);
