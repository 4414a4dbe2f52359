/* SPDX-License-Identifier: Apache-2.0 */
/* Removes from a system updates of unused variables, inputs that nothing depends on, conditions that the guard decides, and unreachable
   locations. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Drops updates of globals that are not relevant (system_relevant) and of locals that are not live afterwards, then the unused inputs. Sets
   the `live` list of each location. */
void tidy_updates(System *);
/* Drops inputs that nothing but constant bounds depends on, with these bounds. */
void tidy_inputs(const System *, Transition *);
/* Returns the bounds that types give to the variables and array elements in an expression. Executions without a fault respect them. */
const Expr *tidy_types(const System *, const Expr *);
/* Simplifies guard and updates as far as the formula `known`, which holds where the transition starts, allows. The guard becomes false if
   it cannot hold. */
void tidy_transition(const System *, Smt *, const Expr *known, Transition *);
/* Adds to the guard of a transition from a location to itself the condition under which it changes something, if there is exactly one. */
void tidy_stutter(System *);
/* Removes the locations that no transition reaches from the entry, and numbers the remaining locations anew. */
void tidy_locations(SystemThread *);
