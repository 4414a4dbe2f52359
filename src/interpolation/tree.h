/* SPDX-License-Identifier: Apache-2.0 */
/* Solves Horn clauses that lead to an error once: no recursion, one clause for each predicate, one query. The clauses unfold to a tree.
   Linear inequalities that exclude this tree give the solution (Gupta, Popeea, Rybalchenko, POPL 2011: SOLVELINEARHC). */
#pragma once
#include "smt/horn.h"

typedef struct HornTree HornTree;
/* Returns NULL if the tree is too large, or if its linear conditions do not exclude it over the rational numbers. */
HornTree *horn_tree_solve(const Horn *, Smt *, unsigned milliseconds);
/* Returns the solution of the predicate for these arguments. */
const Expr *horn_tree_solution(HornTree *, const Symbol *predicate, const Expr *const *args);
void horn_tree_free(HornTree *);
