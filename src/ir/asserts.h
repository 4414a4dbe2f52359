/* SPDX-License-Identifier: Apache-2.0 */
/* Where a program judges its assertions: the branches that lead to ERROR locations. */
#pragma once
#include "ir/program.h"

typedef struct Judge {
    unsigned template_, location, assertion;
} Judge;

typedef struct Asserts {
    Position *places; /* a vec: the assertions, by where they are written; each once, however often it was inlined */
    Judge *judges;    /* a vec: a thread of the template that is at the location judges the assertion */
    bool **at;        /* vecs, by template, location: it is one of these */
    bool *passed;     /* a vec, by assertion: some thread may come to it and not be at such a location */
} Asserts;

Asserts *asserts_new(const Program *);
void asserts_free(Asserts *);
/* Only main creates threads, and no thread is another main. */
bool program_main_creates(const Program *);
bool program_allocates(const Program *);         /* memory from the heap */
bool program_has(const Program *, LocationKind); /* some location is of the kind */

/* Another property is asked for: whoever violates an assertion ends the process. And what an action does that ends the process is a step of its own before
   that, since nobody takes the last step. */
void asserts_forget(Program *);
