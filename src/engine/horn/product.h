/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the product of the threads and its Horn clauses (doc/rules.md, "The rule product"). The rules `product` and `ranking` use it. */
#pragma once
#include "engine/horn/clauses.h"
#include "passes/prepare.h"
#include "passes/reduce/blocks.h"
#include "passes/schedule_trace.h"
#include "system/system.h"

/* A node: a location for each thread, and constants for some variables. */
typedef struct ProductNode {
    const unsigned *locations;
    const Expr **values; /* by variable: a constant; NULL: the variable is an argument of the predicate, if it matters here */
    const Symbol *predicate;
    const unsigned *args; /* the variables that are the predicate's arguments */
    unsigned nargs;
} ProductNode;

/* A clause: one thread runs from a node to its next stop. */
typedef struct ProductClause {
    unsigned source, target;   /* nodes. A target NONE stands for an ERROR or STOP, which must not be reached */
    ScheduleStep *steps;       /* a vec */
    const SystemLocation *bad; /* the ERROR or STOP if the target is NONE, else NULL */
} ProductClause;

typedef struct Product {
    const System *system;
    const Blocks *blocks;
    Clauses horn;
    Arena *arena;
    bool *relevant;         /* by variable */
    bool *symbolic;         /* by variable: it is an argument of predicates, and not part of nodes */
    const Expr ***domains;  /* by variable: a vec of the constants found so far */
    Values *constants;      /* used to evaluate constant arrays */
    ProductNode *nodes;     /* vecs */
    ProductClause *clauses; /* clause 0 is the initial one */
    bool too_large;
} Product;

/* Builds the nodes and clauses. Sets too_large if there are more than max_nodes nodes although all variables are symbolic, or if the deadline
   (clock_seconds) passes. */
Product *product_new(const System *, const Blocks *, Smt *, size_t max_nodes, double deadline);
void product_free(Product *);

/* ---- product_proof.c ---- */
/* Returns the invariants by node from the solution of the clauses, as a vec that the caller frees; NULL if the solution cannot be decoded. */
const Expr **product_invariants(const System *, const Product *);
/* Returns a proof with the nodes whose invariant is not false. */
Proof *product_proof(Chain *, const Product *, const Expr *const *invariants, ProofRule);
