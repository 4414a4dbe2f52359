/* SPDX-License-Identifier: Apache-2.0 */
/* A variable that is locked holds the number of its owner, or 0.

   requires  a program without memory (partition-memory)
   ensures   such variables are not signed, whatever their declaration or use says
   breaks    nothing: no verdict depends on it */
#include "passes/program/program_passes.h"

void mutex_words(Program *p) {
    program_each_instr(const Instr, i, p)
        if (i->cell) variable_set_signed(p, i->cell, false);
}
