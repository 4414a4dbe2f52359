/* SPDX-License-Identifier: Apache-2.0 */
/* A proof that no error is reachable, or that every execution ends, as an engine claims it: the system, where threads need not be preempted, how its
   transitions move, and invariants. check/proof.c turns it into obligations; see doc/rules.md, "Certificates". */
#pragma once
#include "base/buf.h"
#include "system/system.h"

enum { MOVES_RIGHT = 1, MOVES_LEFT = 2, MOVES_BOTH = 3 };

typedef enum ProofRule {
    RULE_PRODUCT, /* an invariant for vectors of locations */
    RULE_MODULAR, /* an invariant for each thread's locations, over globals and its own locals */
    RULE_SAFETY,  /* an invariant for each thread's Out locations, over all variables and where the other threads are */
    RULE_PAIRS,   /* an invariant for each two threads at their locations, over globals and the locals of both */
    RULE_RANKING, /* RULE_PRODUCT, and a tuple of integers for each node that every run makes smaller: there is no endless execution */
    RULE_EACH, /* RULE_MODULAR, and a tuple for each thread's locations that its own runs make smaller, and no run of others larger: each takes
                     finitely many steps */
    RULE_REDUCED, /* a graph of vectors of locations with invariants, in which interleavings are left out that others stand for */
    RULE_RELY     /* an invariant for each thread's locations, what its steps guarantee, and what it relies on of the others' steps */
} ProofRule;

/* RULE_REDUCED: a run of one thread from stop to stop. */
typedef struct ProofStep {
    unsigned thread;
    unsigned *transitions; /* a vec */
} ProofStep;

typedef struct ProofEdge {
    unsigned letter, target; /* target: a node */
} ProofEdge;

/* RULE_PAIRS: two threads; of many threads, one and its twin, or one and some other thread. */
typedef struct ProofPair {
    unsigned first, second;
    const Expr ***invariants; /* by the first's location, by the second's */
} ProofPair;

/* RULE_RANKING, of a component of the tuple at a node. */
typedef struct ProofRound {
    const Expr
        *relation; /* over Proof.after, the variables at some visit of a node that is cut, and the variables now; NULL: none was visited */
    const Expr *
        *measures; /* a vec of integers; not empty: the node is cut. From one visit to any later one, some measure becomes smaller */
} ProofRound;

typedef struct ProofNode {
    unsigned *locations; /* by thread */
    const Expr *invariant;
    const Expr **rank; /* of RULE_RANKING: a vec of integers, the first counts most; as many at all nodes */
    unsigned
        *helpers; /* of RULE_RANKING under a fair scheduler: a vec, by component: a thread + 1 that can always step where the components so
                          far are what they are, and whose steps make them smaller; 0: none. Empty: under any scheduler */
    ProofRound *rounds; /* of RULE_RANKING: a vec, by component; empty: no node is cut */
    /* Of RULE_REDUCED. What starts with a letter that is asleep is left to another node. What can be done here and is neither asleep
       nor on an edge is claimed to be impossible. */
    unsigned *sleep;  /* a vec of letters */
    ProofEdge *edges; /* a vec, those that others stand back for first; a letter with several targets leads to one of them */
    bool dead;        /* no edges: there is no error to be reached without what is asleep */
} ProofNode;

typedef struct Proof {
    ProofRule rule;
    Buf settings;     /* how the passes made the system, in words (passes/settings.def) */
    Program *program; /* what the system was made from; owned. NULL: it was a text */
    System *system;   /* owned */
    /* By thread, then by location or transition. */
    bool **out;               /* others may run here */
    bool **stop;              /* Out, or where runs are cut */
    uint8_t **movers;         /* claimed */
    const Expr ***facts;      /* what holds whenever the thread is there: mutexes held, threads that do not run */
    ProofNode *nodes;         /* of RULE_PRODUCT and RULE_RANKING: a vec; vectors may repeat: the invariant is their disjunction.
                                 Of RULE_REDUCED: the first is the initial one */
    ProofStep *letters;       /* of RULE_REDUCED: a vec */
    const Expr ***invariants; /* of RULE_MODULAR, RULE_EACH, RULE_SAFETY and RULE_RELY */
    const Expr ***
        *ranks; /* of RULE_EACH: a vec of integers for each location, over globals and the thread's locals; as many for all of a thread */
    const Symbol **
        places; /* of RULE_SAFETY: by thread, the integer that in invariants of others is its location; of RULE_RELY, if it is not modular */
    /* Of RULE_RELY: by thread, of each of its steps, and of each step of another; over the variables before and after it. */
    const Expr **guarantees, **relies;
    const Symbol **after;        /* by variable: its value after the step; of RULE_RANKING with rounds: at an earlier visit */
    const Symbol **places_after; /* by thread, as places: where it is after the step */
    ProofPair *pairs;            /* of RULE_PAIRS: a vec */
    unsigned *partners;          /* of RULE_PAIRS: by thread, who with it excludes its errors */
} Proof;

Proof *proof_new(ProofRule, Program *, System *);
/* Tells whether nodes have a location for each thread, and numbers of letters, nodes and threads are of some that exist. */
bool proof_valid(const Proof *);
void proof_free(Proof *);
void proof_release(Proof *);       /* … but not its program and system */
bool proof_is_fair(const Proof *); /* it speaks of fair schedulers only */
bool proof_ends(const Proof *);    /* it says that every execution ends, not that no error is reachable */
