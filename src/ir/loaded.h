/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the result of loading the input files: a program, as its text or the front end made it, and facts about its origin. */
#pragma once
#include "ir/program.h"

typedef struct Loaded {
    Program *program;
    bool c;             /* it was made from C … */
    bool asserts;       /* … and calls functions that report errors, perhaps in unreachable code */
    unsigned recursion; /* how often a procedure is followed within itself; 0: as usual */
    const char *native; /* the instrumented bitcode for native runs, in the program's arena; NULL: none … */
    size_t native_size;
} Loaded;

/* Checks the invariant: only a program made from C has bitcode for native runs. */
static inline bool loaded_valid(const Loaded *l) { return l->program && !l->native == !l->native_size && (l->c || !l->native); }
