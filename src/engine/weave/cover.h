/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether the assertions of the engine `weave` prove a reduction of the program. The result is the graph of the reduction, or a path to an
   error that the assertions do not exclude. A `vector` is a control state, a `letter` is a block step, and a `mask` is a set of assertions, each by
   number. */
#pragma once
#include "engine/weave/order.h"
#include "engine/weave/space.h"
#include "result/proof.h"

typedef struct CheckEdge {
    unsigned letter, step, target; /* `step` is a step of the vector, `target` is a node */
} CheckEdge;

typedef enum NodeState {
    NODE_NEW,  /* not expanded */
    NODE_OPEN, /* expanded */
    NODE_DEAD, /* space_dead: every path to an error begins with a sleeping letter, possibly after other steps that commute with it */
    NODE_BAD   /* leads to an error in every order that was considered */
} NodeState;

typedef struct CheckNode {
    unsigned vector, mask, sleep;
    Turn turn;
    unsigned parent, step; /* the node and step by which it was first reached; NONE at the root */
    NodeState state;
    bool queued;
    unsigned edges, nedges; /* the first one in Check.edges, and their number; in the order that the node has chosen */
    unsigned cover;         /* a node with fewer assertions and fewer sleeping letters that replaces this one, or NONE */
    unsigned users, chain;  /* heads of lists: the nodes that depend on this one (+ 1); the next node of the vector (+ 1) */
} CheckNode;

/* A path to an error that the assertions do not exclude consists of these points. */
typedef struct TracePoint {
    unsigned vector, mask, sleep;
    Turn turn;
    unsigned step; /* the step from this point; the last one leads to an error */
} TracePoint;

typedef enum CheckAnswer {
    CHECK_PROVED,
    CHECK_FAILED,
    CHECK_INTERRUPTED /* a limit was met */,
    CHECK_GAVE_UP /* too many nodes */
} CheckAnswer;

typedef struct Check {
    CheckAnswer answer;
    CheckNode *nodes; /* vecs. CHECK_PROVED: node 0 is the root; the nodes that it reaches by edges and covers are a reduction */
    CheckEdge *edges;
    TracePoint *trace; /* of CHECK_FAILED */
} Check;

/* A check ends at the time `deadline` of clock_seconds, or at the time `processor` of clock_processor. */
typedef struct CheckLimits {
    double deadline, processor;
} CheckLimits;

/* Checks the assertions. With `all`, each node may choose its own order of letters, and tries the given order first. Otherwise the check uses the
   given order alone. */
Check check_proof(Space *, const Order *, bool all, CheckLimits);
void check_free(Check *);

/* Returns the groups of a vector in the order of preference, as a vec of their numbers. */
unsigned *check_preference(Space *, const Order *, Turn, unsigned vector);

/* Adds the letters and nodes of a check with CHECK_PROVED to a proof by the rule `reduced`. */
void certificate_add(Proof *, Space *, const Check *);
