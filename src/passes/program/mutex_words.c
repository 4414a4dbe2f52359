/* SPDX-License-Identifier: Apache-2.0 */
/* A variable that is locked holds the number of its owner, or 0.

   requires  a program without memory (regions)
   ensures   such variables are not signed, whatever their declaration or use says
   breaks    nothing: no verdict depends on it */
#include "passes/program/mutex_words.h"
#include "base/vec.h"

void mutex_words(Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Action *action = &p->templates[t]->actions[a];
            for (size_t i = 0; i < vec_len(action->instrs); i++)
                if (action->instrs[i].cell) variable_set_signed(p, action->instrs[i].cell, false);
        }
}
