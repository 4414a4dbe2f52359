/* SPDX-License-Identifier: Apache-2.0 */
/* Finds lexicographic ranking functions of the product (doc/rules.md, "The rule ranking").

   Each node gets a tuple of integer expressions, which are compared from the first component on. On every edge the first component
   that changes falls, from a value that is not negative. */
#pragma once
#include "engine/horn/product.h"
#include "expr/normal.h"
#include "result/proof.h"

/* A block step from a node to a node. */
typedef struct RankEdge {
    unsigned source, target, thread;
    const Expr *guard;  /* over the variables at the source and inputs; implies the zone of the source */
    const Expr **after; /* a vec, by variable: its value at the target; NULL: the variable does not matter there, or is a constant */
    bool done;          /* some component of the tuple falls on this edge */
    bool foreign;       /* a block step of another thread: no component may grow on it, but none needs to fall */
} RankEdge;

typedef struct Ranker {
    const Product *product;
    const System *system;
    Exprs *exprs;
    Smt *smt;
    double deadline;               /* clock_seconds */
    RankEdge *edges;               /* vecs */
    unsigned *component;           /* by node: its strongly connected component by edges that are not done */
    const Expr ***tuples;          /* by node: a vec */
    bool fair;                     /* only executions of fair schedulers count */
    const Expr *const *invariants; /* by node, if fair */
    unsigned **helpers;            /* by node, if fair: a vec as long as its tuple; a thread + 1, or 0 */
    bool each;                     /* the nodes are the locations of one thread (rank_each.c) */
    bool rounds_first;             /* try rank_rounds before the other methods */
    const Symbol **saved;          /* by variable: its value at an earlier visit; empty: no node is cut */
    ProofRound **rounds;           /* by node: a vec as long as its tuple */
} Ranker;

/* A strongly connected component, with one component of the tuples of its nodes. */
typedef struct RankPart {
    const unsigned *edges; /* vecs: indices of the edges that are not done */
    const Expr **value;    /* by node; NULL: the node is of another strongly connected component */
    ProofRound *rounds;    /* by node; empty: no node is cut */
} RankPart;

typedef enum RankChange { RANK_GROWS, RANK_STAYS, RANK_FALLS } RankChange;

/* Compares the expression `before` at the source of an edge with `at_target` at its target. RANK_FALLS: it always falls, from a value that
   is not negative. RANK_STAYS: it never grows. RANK_GROWS: it may grow, or the solver does not know. */
RankChange rank_change(Ranker *, const RankEdge *, const Expr *before, const Expr *at_target);
/* Returns the sum at a node, with the constants of the node and without variables that do not matter there. */
const Expr *rank_at(Ranker *, const Linear *, unsigned node);
/* True if the variable matters at the node. */
bool rank_matters(const Ranker *, unsigned node, unsigned variable);

/* Each method searches for values of the nodes of the part. The values must not grow on any edge of the part, and must fall on some edge.
   A method that finds such values sets RankPart.value, marks the edges on which they fall as done, and returns true. */
bool rank_guess(Ranker *, RankPart *);     /* rank_guess.c: from comparisons of guards */
bool rank_farkas(Ranker *, RankPart *);    /* rank_farkas.c: by linear programming */
bool rank_piecewise(Ranker *, RankPart *); /* rank_piecewise.c: the larger or the smaller of two numbers */
/* Searches for a node that is visited only finitely often, and for a relation between any two visits that shows it (rank_rounds.c). If there
   is such a node, marks the edges from there as done, and returns true. */
bool rank_rounds(Ranker *, RankPart *);
/* Composes edges of a path or cycle from the node to one edge. The caller frees its `after`. */
RankEdge rank_compose(Ranker *, unsigned node, const unsigned *edges);
/* Searches for a cycle from a node with a condition that it preserves (rank_candidate.c). If there is such a cycle, writes a state that satisfies
   the condition to the text, and returns true. */
bool rank_candidate(Ranker *, unsigned stuck, Buf *text);
/* Searches for a thread that can always step while an execution stays in the part, and has no edge in the part (rank_fair.c). A fair scheduler
   then lets the execution leave the part. */
bool rank_help(Ranker *, const unsigned *edges, unsigned *thread);
/* Checks RankPart.value in full with the solver. Marks the edges on which it falls as done and returns true if it grows on no edge and
   falls on some edge that is not foreign. */
bool rank_take(Ranker *, RankPart *);

/* Finds the tuples of all nodes for the edges of the ranker. Returns false if a strongly connected component has no value; *stuck is then one of
   its nodes. */
bool rank_nodes(Ranker *, unsigned *stuck);
/* Adds an edge, split into one edge for each case of its choices. Takes ownership of the edge. */
void rank_add(Ranker *, RankEdge);
/* Adds the edges of the product and finds the tuples of its nodes, as rank_nodes. The caller has set product, smt and deadline, rounds_first,
   and for fair schedulers `fair` and `invariants`. */
bool rank_product(Ranker *, unsigned *stuck);
void rank_free(Ranker *);
