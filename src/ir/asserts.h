/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the branches at which a program decides its assertions: those that lead to ERROR locations. */
#pragma once
#include "ir/program.h"

typedef struct DecidingBranch {
    unsigned template_, location, assertion;
} DecidingBranch;

typedef struct Asserts {
    Position *places;         /* a vec: the position of each assertion in the source; inlining does not repeat it */
    DecidingBranch *branches; /* a vec: a thread of the template at the location decides the assertion */
    bool **is_branch;         /* vecs, by template and location: the location is in `judges` */
    bool *bypassed;           /* a vec, by assertion: jump threading made paths that bypass such a location */
} Asserts;

Asserts *asserts_new(const Program *);
void asserts_free(Asserts *);
/* Returns true if only main creates threads, and no created thread runs main. */
bool program_main_creates(const Program *);
bool program_allocates(const Program *);         /* it allocates heap memory */
bool program_has(const Program *, LocationKind); /* some location is of the kind */

/* Prepares the program for another property than unreach-call: the violation of an assertion ends the process. An action that ends the
   process becomes two steps: its instructions, and an empty step to HALT. So its accesses count even if that last step is left out. */
void program_end_at_assertions(Program *);
