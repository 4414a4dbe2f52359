/* SPDX-License-Identifier: Apache-2.0 */
/* Horn clauses that lead to an error once: without recursion, one clause for each predicate, one query. What they say together is a tree, and linear
   inequalities that exclude it solve them (Gupta, Popeea, Rybalchenko, POPL 2011: SOLVELINEARHC). */
#pragma once
#include "smt/horn.h"

typedef struct HornTree HornTree;
/* NULL: it is given up, since the tree is too large, or is not excluded by its linear conditions in rational numbers. */
HornTree *horn_tree_solve(const Horn *, Smt *, unsigned milliseconds);
/* What the predicate is, of these arguments. */
const Expr *horn_tree_solution(HornTree *, const Symbol *predicate, const Expr *const *args);
void horn_tree_free(HornTree *);
