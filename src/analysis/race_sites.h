/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the accesses of a program that other threads can observe: to global variables, and to memory that several threads may access. An
   allocation writes the object that it makes. Taking and releasing a mutex are atomic accesses of its word. */
#pragma once
#include "ir/program.h"

typedef struct Site {
    unsigned template_, action, instr;
    bool writes, atomic, section;
    bool allocates;             /* it makes the object that the variable in `address` points to afterwards */
    bool mutex;                 /* it takes or releases a mutex, which races only with the beginning or end of the mutex's life … */
    bool life;                  /* … such as this */
    bool first;                 /* no earlier instruction of the action is visible to other threads */
    const Variable *variable;   /* NULL for an access of memory */
    const Expr *address, *size; /* for memory; size is NULL if the whole object is freed */
} Site;

/* Returns the accesses by template, action and instruction: a vec that the caller frees. The argument shared is the result of
   program_shared_objects. *guard becomes the first action whose guard reads a global variable, or NULL. This read is not among the
   accesses. */
Site *race_sites(Program *, const bool *shared, const Action **guard);
