/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses of a program that others may notice: of global variables, and of memory that is not a thread's own. */
#pragma once
#include "ir/program.h"

typedef struct Site {
    unsigned template_, action, instr;
    bool writes, atomic, section;
    bool first;                 /* nothing that others can see comes before it in its action */
    const Variable *variable;   /* or NULL: memory */
    const Expr *address, *size; /* no size: the whole object is freed */
} Site;

/* A vec, by template, action and instruction. shared: program_shared_objects. *guard: the first action whose guard reads a global variable, or NULL; that is no
   access of its own. */
Site *race_sites(Program *, const bool *shared, const Action **guard);
