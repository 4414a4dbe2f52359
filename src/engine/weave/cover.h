/* SPDX-License-Identifier: Apache-2.0 */
/* Does the proof cover a reduction of the program? */
#pragma once
#include "engine/weave/order.h"
#include "engine/weave/space.h"
#include "result/proof.h"

typedef struct CheckEdge {
    unsigned letter, step, target; /* a step of the vector; a node */
} CheckEdge;

typedef enum NodeState { NODE_NEW, NODE_OPEN, NODE_DEAD, NODE_BAD } NodeState;

typedef struct CheckNode {
    unsigned vector, mask, sleep;
    Turn turn;
    unsigned parent, step; /* where it was met first: NONE at the root */
    NodeState state;
    bool queued;
    unsigned edges, nedges; /* of Check.edges: in the order chosen here */
    unsigned cover;         /* a node with weaker assertions and fewer letters asleep that stands for it, or NONE */
    unsigned users, chain;  /* lists: who depends on it (+ 1); the next node of the vector (+ 1) */
} CheckNode;

/* A path that the proof does not exclude. */
typedef struct TracePoint {
    unsigned vector, mask, sleep;
    Turn turn;
    unsigned step; /* taken from there; the last is bad */
} TracePoint;

typedef enum CheckAnswer {
    CHECK_PROVED,
    CHECK_FAILED,
    CHECK_INTERRUPTED /* by the limits */,
    CHECK_GAVE_UP /* too many nodes */
} CheckAnswer;

typedef struct Check {
    CheckAnswer answer;
    CheckNode *nodes; /* vecs; of CHECK_PROVED: node 0 is the root; what it reaches by edges and covers is a reduction */
    CheckEdge *edges;
    TracePoint *trace; /* of CHECK_FAILED */
} Check;

/* When to break off: of clock_seconds, and of clock_processor. */
typedef struct CheckLimits {
    double deadline, processor;
} CheckLimits;

/* all: any order will do, and the given one is tried first; else that order alone. */
Check check_proof(Space *, const Order *, bool all, CheckLimits);
void check_free(Check *);

/* The groups of a vector in the order of preference, as a vec of their numbers. */
unsigned *check_preference(Space *, const Order *, Turn, unsigned vector);

/* From a check that succeeded to a proof by the rule reduced: adds its letters and nodes. */
void certificate_add(Proof *, Space *, const Check *);
