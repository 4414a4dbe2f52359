/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one thread from stop to stop, as one guard and one assignment each. */
#ifndef HEDDLE_ENGINE_HORN_PATHS_H
#define HEDDLE_ENGINE_HORN_PATHS_H
#include "transform/blocks.h"
#include "verdict/system.h"

typedef struct Path {
    unsigned thread, source, target;
    const Expr *guard;
    const Expr **values; /* a vec by variable: its value at the end in terms of the start's; NULL: unchanged */
} Path;

/* All runs from a location that is a stop, as a vec. */
Path *paths_from(const System *, const Blocks *, unsigned thread, unsigned location);
void paths_free(Path *);

#endif
