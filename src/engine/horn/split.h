/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates split by the constants that their arguments take: flags, mutexes and who is where are then told by which predicate it is, and
   what is left to be found of each is simpler. What the rule product does with its nodes, for the clauses of any rule. */
#pragma once
#include "smt/horn.h"

typedef struct Split Split;

/* NULL: it would have too many clauses, there is no time left (deadline: clock_seconds), or there is nothing to split. */
Split *split_new(const Horn *, Smt *, size_t max_clauses, double deadline);
void split_free(Split *);
Horn *split_horn(const Split *); /* its own */
/* What an atom of the clauses given comes to, if `solution` says what an atom of the split ones does (NULL: cannot be read). */
const Expr *split_solution(const Split *, const Expr *atom, const Expr *(*solution)(const void *context, const Expr *atom),
                           const void *context);
