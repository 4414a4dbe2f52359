/* SPDX-License-Identifier: Apache-2.0 */
/* What an action reads and writes that others may see. */
#pragma once
#include "analysis/pointsto.h"

typedef struct Access {
    const Variable *variable; /* or NULL: memory */
    const Targets *targets;
    bool wild; /* memory: the targets are not all */
    bool writes;
} Access;

/* A vec. A mutex is written by whoever asks for it. shared: of program_shared_objects. */
Access *action_accesses(const Action *, PointsTo *, const bool *shared);
/* May they be of the same place, and one writes? */
bool accesses_meet(const Access *, const Access *);
