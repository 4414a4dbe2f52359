/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether the assertions of the engine `weave` prove a reduction of the program. The result is the graph of the reduction, or a path to an
   error that the assertions do not exclude. A `control_state`, a `block_step` and a `mask` are numbers: of a control state, a
   block step and a set of assertions. */
#pragma once
#include "engine/weave/order.h"
#include "engine/weave/space.h"
#include "result/proof.h"

typedef struct CheckEdge {
    unsigned block_step, step, target; /* `step` is a step of the control state, `target` is a node */
} CheckEdge;

typedef enum NodeState {
    NODE_NEW,  /* not expanded */
    NODE_OPEN, /* expanded */
    NODE_DEAD, /* space_dead: every path to an error begins with a sleeping block step, possibly after other steps that commute with it */
    NODE_BAD   /* leads to an error in every order that was considered */
} NodeState;

typedef struct CheckNode {
    unsigned control_state, mask, sleep;
    OrderState turn;
    unsigned parent, step; /* the node and step by which it was first reached; NONE at the root */
    NodeState state;
    bool queued;
    unsigned edges, nedges; /* the first one in Check.edges, and their number; in the order that the node has chosen */
    unsigned cover;         /* a node with fewer assertions and fewer sleeping block steps that replaces this one, or NONE */
    unsigned users, chain;  /* heads of lists: the nodes that depend on this one (+ 1); the next node of the control state (+ 1) */
} CheckNode;

/* A path to an error that the assertions do not exclude consists of these points. */
typedef struct TracePoint {
    unsigned control_state, mask, sleep;
    OrderState turn;
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

/* Checks the assertions. With `all`, each node may choose its own order of block steps, and tries the given order first. Otherwise the check uses the
   given order alone. */
Check check_proof(Space *, const Order *, bool all, CheckLimits);
void check_free(Check *);

/* Returns the groups of a control state in the order of preference, as a vec of their numbers. */
unsigned *check_preference(Space *, const Order *, OrderState, unsigned control_state);

/* Adds the block steps and nodes of a check with CHECK_PROVED to a proof by the rule `reduced`. */
void certificate_add(Proof *, Space *, const Check *);
