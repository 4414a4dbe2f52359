/* SPDX-License-Identifier: Apache-2.0 */
/* A program as its file or the front end made it, with what is known of it besides. */
#pragma once
#include "ir/program.h"

typedef struct Loaded {
    Program *program;
    bool c;             /* it was C */
    bool asserts;       /* … which calls what reports errors, perhaps where nothing gets to */
    const char *native; /* the bitcode, made ready for a native run, in the program's arena; NULL: none … */
    size_t native_size;
} Loaded;

/* Only what was C has a native run. */
static inline bool loaded_valid(const Loaded *l) { return l->program && !l->native == !l->native_size && (l->c || !l->native); }
