/* SPDX-License-Identifier: Apache-2.0 */
/* The rule `product`: see doc/rules.md. */
#pragma once
#include "engine/horn/clauses.h"
#include "passes/prepare.h"
#include "passes/reduce/blocks.h"
#include "passes/schedule_trace.h"
#include "system/system.h"

/* A node of the product: a location for each thread, and the variables whose value there is one constant. */
typedef struct ProductNode {
    const unsigned *locations;
    const Expr **values; /* by variable: a constant, or NULL: the predicate speaks of it, if it matters */
    const Symbol *predicate;
    const unsigned *args; /* the variables it speaks of */
    unsigned nargs;
} ProductNode;

/* A run of one thread through a block (or a part of it), as a clause. */
typedef struct ProductClause {
    unsigned source, target;   /* nodes; target NONE: a location that must not be reached */
    ScheduleStep *steps;       /* a vec */
    const SystemLocation *bad; /* target NONE: the location, an ERROR or a STOP */
} ProductClause;

typedef struct Product {
    const System *system;
    const Blocks *blocks;
    Clauses horn;
    Arena *arena;
    bool *relevant;         /* by variable */
    bool *symbolic;         /* by variable: never explicit */
    const Expr ***domains;  /* by variable: a vec of the constants met */
    Values *constants;      /* for evaluating them */
    ProductNode *nodes;     /* vecs */
    ProductClause *clauses; /* clause 0 is the initial one */
    bool too_large;
} Product;

/* Builds nodes and clauses; too_large if there are more than max_nodes whatever is left to the predicates, or there is no time
   left (deadline: clock_seconds). */
Product *product_new(const System *, const Blocks *, Smt *, size_t max_nodes, double deadline);
void product_free(Product *);

/* ---- product_proof.c: from a solution of the product's clauses to a proof ---- */
/* By node, a vec; NULL: the solver's answer cannot be read. */
const Expr **product_invariants(const System *, const Product *);
/* Nodes whose invariant is false are left out. */
Proof *product_proof(Chain *, const Product *, const Expr *const *invariants, ProofRule);
