/* SPDX-License-Identifier: Apache-2.0 */
/* Finds predicates that exclude a counterexample of the abstraction (Gupta, Popeea and Rybalchenko, Section 6).

   The counterexample is a tree: the steps of one thread to an error, the environment transitions between them, and in turn the causes
   of these. Branches share their common items. */
#pragma once
#include "engine/threader/aret.h"

/* An abstract state or an environment transition. */
typedef struct TreeItem {
    bool env;
    unsigned index; /* in nodes or envs of the Aret */
} TreeItem;

typedef struct Tree {
    Aret *aret;
    Abstraction *abstraction;
    Vocabulary vocabulary;
    TreeItem *items;       /* a vec: an item comes after the items that lead to it */
    unsigned *block_steps; /* a vec: the block steps of all items; the last one leads to the error */
    bool *cone;            /* by variable or place: a guard of the tree depends on it */
    unsigned *threads;     /* a vec: the threads of the block steps */
} Tree;

/* Makes the tree of the error that was reached. */
void tree_open(Tree *, Aret *, Vocabulary);
void tree_close(Tree *);
/* True if a formula about the states of a thread may mention the variable, in the tree's vocabulary. */
bool tree_may_mention(const Tree *, unsigned thread, unsigned variable);
/* True if a formula about the steps of a thread may mention the variable, in the tree's vocabulary. */
bool tree_may_relate(const Tree *, unsigned thread, unsigned variable);

/* Adds a formula as a predicate of an item, and renamed for symmetric threads. Returns false if it is tracked already. */
bool tree_learn(const Tree *, TreeItem, const Expr *);

/* Selects the predicates that tree_by_pool tries. Predicates that exist already, for any location, are always among them. */
typedef enum PoolSource {
    POOL_KNOWN,   /* no other source */
    POOL_GUARDS,  /* comparisons of guards, assigned values, and places in the steps of the tree */
    POOL_BEFORE,  /* comparisons of guards, taken back over the steps before them */
    POOL_COUNTERS /* which of two variables is ahead, if steps of the tree add constants to both */
} PoolSource;
/* Returns true if predicates of a source exclude the error. Tracks those that are needed at the items that need them. With `free`, the initial
   condition is not assumed, so that the predicates hold for more than this tree. */
bool tree_by_pool(Tree *, PoolSource, bool free);
/* Solves Horn clauses of the tree, and adds the solution as predicates. REFINE_ERROR: the clauses have no solution in the vocabulary. */
RefineResult tree_by_clauses(Tree *, double deadline);
