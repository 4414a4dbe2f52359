/* SPDX-License-Identifier: Apache-2.0 */
/* Disables the actions that an over-approximating action between the same locations subsumes. Proofs then have fewer actions to treat.

   requires  a well-formed program
   ensures   actions marked covered cannot be taken; the same errors are reachable through the over-approximating actions
   breaks    nothing: locations and actions are the same */
#include "passes/program/program_passes.h"

void drop_subsumed(Program *p) {
    program_each_action(Action, a, p)
        if (a->subsumed) a->guard = expr_bool(p->exprs, false);
}
