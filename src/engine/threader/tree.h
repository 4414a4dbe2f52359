/* SPDX-License-Identifier: Apache-2.0 */
/* What led to an error that the predicates do not exclude: a tree whose branches share what they have in common. */
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
    TreeItem *items;   /* a vec: those that others need first */
    unsigned *letters; /* a vec: of all its steps; the one to the error is the last */
    bool *cone;        /* by variable or place: guards depend on it */
    unsigned *threads; /* a vec: whose they are */
} Tree;

void tree_open(Tree *, Aret *, Vocabulary);
void tree_close(Tree *);
/* May a formula about a thread's states speak of it, or one about its steps? */
bool tree_may_speak(const Tree *, unsigned thread, unsigned variable);
bool tree_may_relate(const Tree *, unsigned thread, unsigned variable);

/* Adds what holds of an item, and what that is for threads like those of the tree; false: there was nothing new. */
bool tree_learn(const Tree *, TreeItem, const Expr *);

/* Where predicates are from: they are there already, for other places; what the steps of the tree ask and do suggests them; these, as they are before steps;
   which of two counters is ahead. */
typedef enum PoolSource { POOL_KNOWN, POOL_GUARDS, POOL_BEFORE, POOL_COUNTERS } PoolSource;
/* If such predicates, and those that there are, exclude the error, those of them that it takes are
   tracked where it takes them. False: they do not. free: whatever holds initially, so that what is learnt is worth more. */
bool tree_by_pool(Tree *, PoolSource, bool free);
/* A solution of the tree's clauses by Spacer. */
Lesson tree_by_clauses(Tree *, double deadline);
