/* SPDX-License-Identifier: Apache-2.0 */
/* A proof need not look at what an over-approximation covers.

   requires  a well-formed program
   ensures   actions marked covered cannot be taken; the same errors are reachable, by the approximations that cover
             them
   breaks    nothing: locations and actions are the same */
#include "passes/program/program_passes.h"

void drop_subsumed(Program *p) {
    program_each_action(Action, a, p)
        if (a->covered) a->guard = expr_bool(p->exprs, false);
}
