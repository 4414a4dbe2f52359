/* SPDX-License-Identifier: Apache-2.0 */
/* Rankings of the product: for each node a tuple of integers, compared from the first on, that every edge makes smaller and that is not
   negative where it does. See doc/rules.md, "The rule ranking". */
#pragma once
#include "engine/horn/product.h"
#include "expr/normal.h"
#include "result/proof.h"

/* A run from node to node. */
typedef struct RankEdge {
    unsigned source, target, thread;
    const Expr *guard;  /* over the source's variables and inputs; what is known of the source included */
    const Expr **after; /* a vec, by variable: its value at the target; NULL: it is not spoken of there, or a constant */
    bool done;          /* some component makes it smaller */
    bool foreign;       /* another thread's run, which need not make anything smaller, but must not make it larger */
} RankEdge;

typedef struct Ranker {
    const Product *product;
    const System *system;
    Exprs *exprs;
    Smt *smt;
    double deadline;               /* clock_seconds */
    RankEdge *edges;               /* vecs */
    unsigned *component;           /* by node: those that can reach each other by edges that are not done; 0 is reached from all */
    const Expr ***tuples;          /* by node: a vec */
    bool fair;                     /* only executions of fair schedulers count */
    const Expr *const *invariants; /* if it is fair: by node */
    unsigned **helpers;            /* likewise: by node, a vec as long as its tuple */
    bool each;                     /* one thread, whose locations are the nodes: rank_each.c */
    bool rounds_first;             /* relations between visits before sums that become smaller */
    const Symbol **saved;          /* by variable: its value at an earlier visit; empty: no node is cut */
    ProofRound **rounds;           /* by node: a vec as long as its tuple */
} Ranker;

/* The edges of one component that are not done: indices. And a component of the tuple for it, by node (NULL: of another component). */
typedef struct RankPart {
    const unsigned *edges; /* vecs */
    const Expr **value;
    ProofRound *rounds; /* by node; empty: none */
} RankPart;

typedef enum RankChange { RANK_GROWS, RANK_STAYS, RANK_FALLS } RankChange;

/* What an edge does to a value: falls, from what is not negative; stays, or becomes less; or perhaps grows. */
RankChange rank_change(Ranker *, const RankEdge *, const Expr *before, const Expr *at_target);
/* The sum at a node: with its constants, and without what is not spoken of there. */
const Expr *rank_at(Ranker *, const Linear *, unsigned node);
bool rank_speaks_of(const Ranker *, unsigned node, unsigned variable);

/* Each finds a value that no edge of the part lets grow and some edge lets fall; false: there is none that it knows. Edges that it
   makes fall are done then. */
bool rank_guess(Ranker *, RankPart *);     /* rank_guess.c: read off guards */
bool rank_farkas(Ranker *, RankPart *);    /* rank_farkas.c: by linear programming */
bool rank_piecewise(Ranker *, RankPart *); /* rank_piecewise.c: the larger or the smaller of two numbers */
/* Some node is visited only finitely often, by a relation between any two visits (rank_rounds.c). Edges from there are done then. */
bool rank_rounds(Ranker *, RankPart *);
/* Edges one after the other, from the node on, as one. Its `after` is the caller's. */
RankEdge rank_compose(Ranker *, unsigned node, const unsigned *edges);
/* A way around from there that keeps its own condition (rank_candidate.c): the text is a state to begin with. */
bool rank_candidate(Ranker *, unsigned stuck, Buf *text);
/* A thread that can always step in the component, though no edge of the part is its: under a fair scheduler the component is left. All edges are
   done then. */
bool rank_help(Ranker *, const unsigned *edges, unsigned *thread); /* rank_fair.c */
/* Takes a value that is there, if it is one: false if not. */
bool rank_take(Ranker *, RankPart *);

/* The tuples of nodes by the edges that are there. */
bool rank_nodes(Ranker *, unsigned *stuck);
/* An edge, its ways apart; takes it over. */
void rank_add(Ranker *, RankEdge);
/* Tuples of the product's nodes, or why there are none: *stuck is a node on a cycle. The ranker says what is wanted: product, smt, deadline,
   fair and invariants, rounds_first. */
bool rank_product(Ranker *, unsigned *stuck);
void rank_free(Ranker *);
