/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of the rule `modular`. */
#pragma once
#include "engine/horn/rule.h"

typedef struct Modular {
    const System *system;
    const Blocks *blocks;
    Clauses clauses;
    bool *relevant;
    const Symbol ***predicates; /* by thread, by location: NULL where none; a twin has its twin's */
    unsigned ***args;           /* … and the variables it speaks of, in the names of this thread */
} Modular;

void modular_start(Modular *, const Chain *);
void modular_end(Modular *);
/* NULL: the clauses are solved; else why not. */
Verdict *modular_solve(const RuleTask *, Modular *);
/* By thread, by location: vecs; NULL: the solution cannot be read. */
const Expr ***modular_invariants(const Modular *);
