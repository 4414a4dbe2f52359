/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the choices of a thread from action to action, as far as they may decide whether the thread waits.

   A thread that has chosen may have to wait for ever. If the choice and the wait were one step, the thread would choose so that it need not
   wait. No step has both. */
#pragma once
#include "ir/program.h"

typedef struct Affected {
    const Variable **variables; /* a vec: a choice may affect their values */
    bool memory;                /* a choice may affect the bytes that were written */
    bool found;                 /* a choice may affect the expression that was looked at last */
} Affected;

bool action_chooses(const Action *);
/* Returns whether the instruction is a lock, a join or an await. */
bool instr_waits(const Instr *);
/* Goes on through the action. Returns true if a choice may decide whether it waits. */
bool affected_follow(Affected *, const Action *);
bool affected_mentions(Affected *, const Expr *);
void affected_free(Affected *);
