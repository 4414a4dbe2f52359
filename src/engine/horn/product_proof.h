/* SPDX-License-Identifier: Apache-2.0 */
/* From a solution of the product's clauses to a proof. */
#pragma once
#include "engine/horn/product.h"
#include "passes/prepare.h"

/* By node, a vec; NULL: the solver's answer cannot be read. */
const Expr **product_invariants(const System *, const Product *);
/* Nodes whose invariant is false are left out. */
Proof *product_proof(Chain *, const Product *, const Expr *const *invariants, ProofRule);
