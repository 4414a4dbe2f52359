/* SPDX-License-Identifier: Apache-2.0 */
/* A proof need not look at what an over-approximation covers.

   requires  a well-formed program
   ensures   actions marked covered cannot be taken; the same errors are reachable, by the approximations that cover
             them
   breaks    nothing: locations and actions are the same */
#include "passes/program/leave_out_covered.h"
#include "base/vec.h"

void leave_out_covered(Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            if (p->templates[t]->actions[a].covered) p->templates[t]->actions[a].guard = expr_bool(p->exprs, false);
}
