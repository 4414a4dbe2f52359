/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what an action reads and writes that other threads can see: global variables and shared memory. */
#pragma once
#include "analysis/pointsto.h"

typedef struct Access {
    const Variable *variable; /* NULL for an access of memory */
    const Targets *targets;   /* the objects that are accessed; NULL for a variable */
    bool wild;                /* memory outside of the targets may be accessed as well */
    bool writes;
} Access;

/* Returns the accesses of an action, as a vec that the caller frees. The targets belong to the PointsTo. Every instruction that asks for a
   mutex counts as a write. shared: the result of program_shared_objects. */
Access *action_accesses(const Action *, PointsTo *, const bool *shared);
/* Returns those of an instruction of an action in the same way. */
Access *instr_accesses(const Instr *, PointsTo *, const bool *shared);
/* True if the two may access the same place and one of them writes. */
bool accesses_conflict(const Access *, const Access *);
