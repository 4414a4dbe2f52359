/* SPDX-License-Identifier: Apache-2.0 */
/* A system without what nobody needs: updates of variables that are not used, inputs that nothing depends on,
   conditions that the guard decides, locations that no transition leads to. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Updates of variables that do not matter (system_relevant), and of locals that are not used before they are set
   again, are dropped, and inputs that are not used then. SetPool what is live at each location. */
void tidy_updates(System *);
/* Inputs that nothing depends on are dropped, with their bounds. */
void tidy_inputs(const System *, Transition *);
/* What the types of variables say of an expression's symbols and array elements: in every execution without fault
   they are in range. */
const Expr *tidy_types(const System *, const Expr *);
/* Guard and updates as small as their context and what is known where the transition starts allow; a guard that
   cannot hold then is false. */
void tidy_transition(const System *, Smt *, const Expr *known, Transition *);
/* Where a transition leads back to its location, and changes something on one condition only, it asks for that
   condition: else it is no step. */
void tidy_stutter(System *);
/* Locations that cannot be reached are gone; the others are numbered anew. */
void tidy_locations(SystemThread *);
