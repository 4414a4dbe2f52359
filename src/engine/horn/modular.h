/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and solves the clauses of the rule `modular` (modular.c). The rule `each` uses the invariants, too. */
#pragma once
#include "engine/horn/rule.h"

typedef struct Modular {
    const System *system;
    const Blocks *blocks;
    Clauses clauses;
    bool *relevant;             /* by variable (system_relevant) */
    const Symbol ***predicates; /* by thread, by location, or NULL; a second instance has the predicates of its thread */
    unsigned ***arguments;      /* by thread, by location: the variables that are the predicate's arguments, of this thread */
} Modular;

/* Makes the clauses for a system with its blocks. */
void modular_start(Modular *, const Chain *);
void modular_end(Modular *);
/* Solves the clauses. Returns NULL, or UNKNOWN with a reason. */
Verdict *modular_solve(const RuleTask *, Modular *);
/* Returns the invariants by thread and location, as vecs of vecs that the caller frees; NULL if the solution cannot be decoded. */
const Expr ***modular_invariants(const Modular *);
