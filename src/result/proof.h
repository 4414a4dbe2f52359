/* SPDX-License-Identifier: Apache-2.0 */
/* A proof is an engine's claim that no error is reachable, or that every execution ends. A proof has the system, the locations at which other
   threads may run, the mover directions of transitions, and invariants. check/proof.c turns it into obligations (doc/rules.md, "Certificates"). */
#pragma once
#include "base/buf.h"
#include "system/system.h"

enum { MOVES_RIGHT = 1, MOVES_LEFT = 2, MOVES_BOTH = 3 };

typedef enum ProofRule {
    RULE_PRODUCT,   /* an invariant for each combination of locations */
    RULE_MODULAR,   /* an invariant for each location of a thread, over globals and its own locals */
    RULE_REDSAFETY, /* an invariant for each Out location of a thread, over all variables and the locations of the other threads,
                       and a relation for each In stop */
    RULE_PAIRS,     /* an invariant for each pair of threads and their locations, over globals and the locals of both */
    RULE_RANKING,   /* RULE_PRODUCT, and for each node a tuple of integers that every block step decreases: every execution ends */
    /* RULE_MODULAR, and a tuple for each location of a thread. Its own block steps decrease the tuple, and no other block step increases it: so each
       thread takes finitely many steps */
    RULE_EACH,
    RULE_REDUCED, /* a graph of combinations of locations with invariants, for a reduction of the interleavings */
    RULE_RELY     /* an invariant for each location of a thread, a guarantee for its own steps, and a rely for the steps of other threads */
} ProofRule;

/* RULE_REDUCED: a block step leads from one stop of a thread to the next. */
typedef struct ProofStep {
    unsigned thread;
    unsigned *transitions; /* a vec */
} ProofStep;

typedef struct ProofEdge {
    unsigned block_step, target; /* target: a node */
} ProofEdge;

/* A part of RULE_REDSAFETY. The relation holds while a thread is at an In stop, in a block that begins at the Out location `start`. */
typedef struct ProofInside {
    unsigned thread, start, location;
    const Expr *relation; /* relates the variables at the start of the block to Proof.after, the present variables */
} ProofInside;

/* RULE_PAIRS: two threads, or a thread and its second instance. */
typedef struct ProofPair {
    unsigned first, second;
    const Expr ***invariants; /* by location of the first thread, by location of the second */
} ProofPair;

/* RULE_RANKING: a component of the tuple at a node. */
typedef struct ProofRound {
    /* relates Proof.after, the variables at an earlier visit of a cut node, to the present variables; NULL: no cut node was visited */
    const Expr *relation;
    /* a vec of integers; the node is cut if it is not empty. From one visit to any later one, some measure decreases */
    const Expr **measures;
} ProofRound;

typedef struct ProofNode {
    unsigned *locations; /* by thread */
    const Expr *invariant;
    const Expr **rank; /* RULE_RANKING: a tuple of integers in lexicographic order, of the same length at all nodes; a vec */
    /* RULE_RANKING under a fair scheduler: a vec by component has a thread + 1, or 0 for no helper. This thread can always step while the
       components up to this one keep their values, and its steps decrease these components. Empty: any scheduler is allowed */
    unsigned *helpers;
    ProofRound *rounds; /* RULE_RANKING: a vec by component; empty: no node is cut */
    /* RULE_REDUCED. Interleavings that begin with a sleeping block step are covered by another node. The proof claims that a block step of these
       locations is impossible here if it neither sleeps nor has an edge. */
    unsigned *sleep; /* a vec of block steps, as indices of `block_steps` */
    /* a vec in the order of exploration: the block steps of earlier edges sleep after later ones. A block step with several edges leads to one
       of their targets */
    ProofEdge *edges;
    bool dead; /* the node has no edges: every error is behind a sleeping block step */
} ProofNode;

typedef struct Proof {
    ProofRule rule;
    Buf settings;     /* how the passes made the system, in words (passes/settings.def) */
    Program *program; /* the program of the system; owned. NULL: the system was read from a text */
    System *system;   /* owned */
    /* By thread, then by location (for movers: by transition). */
    bool **out;             /* other threads may run here */
    bool **stop;            /* an Out location, or one that ends block steps */
    uint8_t **movers;       /* MOVES_…, as claimed */
    const Expr ***facts;    /* formulas that hold whenever the thread is at the location: mutexes that it holds, threads that do not run */
    ProofNode *nodes;       /* RULE_PRODUCT, RULE_RANKING: a vec. The invariant of repeated locations is their disjunction.
                                 RULE_REDUCED: the first node is the initial one */
    ProofStep *block_steps; /* RULE_REDUCED: a vec */
    const Expr ***invariants; /* RULE_MODULAR, RULE_EACH, RULE_REDSAFETY, RULE_RELY */
    /* RULE_EACH: a tuple of integers for each location, over globals and the thread's locals; of one length for all locations of a thread */
    const Expr ****ranks;
    /* RULE_REDSAFETY, and RULE_RELY if it is not modular: by thread, the integer that stands for its location in invariants of other threads */
    const Symbol **places;
    /* RULE_RELY: by thread, relations over the variables before and after a step: for its own steps, and for the steps of other threads. */
    const Expr **guarantees, **relies;
    /* By variable: its value after the step. RULE_RANKING with rounds: its value at an earlier visit. RULE_REDSAFETY: its value inside a block */
    const Symbol **after;
    const Symbol **places_after; /* by thread, like places: its location after the step */
    ProofInside *insides;        /* RULE_REDSAFETY: a vec. What is missing is claimed to be unreachable */
    ProofPair *pairs;            /* RULE_PAIRS: a vec */
    unsigned *partners;          /* RULE_PAIRS: by thread, the other thread of the pair whose invariants exclude its errors */
} Proof;

/* Returns an empty proof, which owns the program (or NULL) and the system. */
Proof *proof_new(ProofRule, Program *, System *);
/* Tells whether nodes have a location for each thread, and all numbers of block steps, nodes and threads are in range. */
bool proof_valid(const Proof *);
void proof_free(Proof *);
void proof_release(Proof *);       /* frees the proof, but not its program and system */
bool proof_is_fair(const Proof *); /* true if it holds under fair schedulers only */
bool proof_ends(const Proof *);    /* true if it proves that every execution ends; other proofs exclude errors */
