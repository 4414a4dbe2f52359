/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the words of mutexes unsigned, since a word holds the number of the owning thread, or 0.

   requires  a program without memory (partition-memory)
   ensures   variables that are locked or unlocked are not signed, whatever their declaration or use
   breaks    nothing: no verdict depends on it */
#include "passes/program/program_passes.h"

void mutex_words(Program *p) {
    program_each_instr(const Instr, i, p)
        if (i->cell) variable_set_signed(p, i->cell, false);
}
