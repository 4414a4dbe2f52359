/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the abstract reachability tree of the engine `impact`. Its parts are the nodes and their labels (art.c), Close and force cover (cover.c),
   sleep sets (reduce.c), Expand, Refine and the main loop (explore.c), and the proof (certify.c).
   A `block_step` is an index in Art.block_steps, and a `control_state` is an index in Art.control_states.

   The tree is an incomplete proof by RULE_REDUCED (doc/rules.md). At all times:
   - label(n) and the step's guard imply label(child) after the step;
   - a covered node's label implies its coverer's label;
   - every block step that sleeps at the coverer sleeps at the covered node;
   - a coverer is older than the nodes that it covers, and alive (art_alive);
   - labels only get stronger and sleep sets only get smaller, so block steps that were shown to commute at a node still commute there.
   The tree is a complete proof when every node is explored that can be reached from the root, with covered nodes replaced by their coverers. */
#pragma once
#include "engine/symbolic.h"
#include "interpolation/interpolate.h"
#include "interpolation/control_states.h"

typedef struct ArtEdge {
    unsigned block_step, child;
} ArtEdge;

typedef struct ArtNode {
    unsigned control_state, parent, depth;
    const ControlStep *step; /* from the parent's control state; NULL for the root */
    const Expr **label;      /* a vec of assertions, in which variables with one value at the control state are replaced by it */
    const Expr *conjunction; /* of the label */
    uint64_t *sleep, *done;  /* sets of block steps: explored at other nodes; with edges here, or to an error and shown impossible here */
    ArtEdge *edges;          /* a vec, in the order of the rule: a block step's edges may put the block steps before it to sleep */
    unsigned coverer;        /* a node, or NONE */
    unsigned *covers;        /* a vec: the nodes that it covers, and some that it covered before */
    unsigned forced;         /* how often it was strengthened in order to be covered */
    unsigned switches;       /* context switches on the path to it */
    bool impossible;         /* its label is false */
    bool dead;               /* control_states_is_covered_by_sleep */
    bool queued;             /* it is in Art.work */
} ArtNode;

typedef struct Art {
    const EngineTask *task;
    double deadline, next_progress;
    const System *system;
    Smt *smt;
    BlockSteps *block_steps;
    ControlStates *control_states;
    Interpolator *interpolator;
    size_t words;   /* length of a set of block steps, in words */
    ArtNode *nodes; /* a vec; the first is the root */
    unsigned *work; /* a vec: nodes that may need exploring */
    unsigned **at;  /* by control state: a vec of its nodes, older ones first */
    Map *steps;     /* ControlStep → index of its PathStep in step_list, + 1 */
    PathStep *step_list;
    Map *implied;           /* pair of a conjunction and an assertion → bool */
    Map *exchanges;         /* (control state, block step, block step) → Exchange (reduce.c) */
    Map *tried;             /* pair of nodes → the coverer's conjunction with which force cover failed */
    Map *conditional;       /* (node, block step, block step): a reason on the path why they commute was searched for */
    bool *back;             /* a vec, by block step: it closes a loop of its thread */
    bool not_known;         /* the solver could not decide whether some path is possible: there will be no proof */
    unsigned stopped;       /* a possible block step to code that is not modelled, so there will be no proof; NONE: none was met */
    ScheduleStep *schedule; /* a vec: an execution to an error … */
    unsigned reached;       /* … and the block step that it ends with, or NONE */
} Art;

/* ---- art.c ---- */
/* Checks the invariants of parents, edges, coverers and sleep sets at every node. */
bool art_valid(const Art *);
/* Returns a tree with the root alone, which is queued. */
Art *art_new(const EngineTask *, Chain *, double deadline);
void art_free(Art *);
/* Adds a child of `parent` and returns it. Its label is true, and no block step sleeps there. */
unsigned art_add(Art *, unsigned parent, const ControlStep *, unsigned control_state);
/* Adds the node to the work, because it may need exploring. */
void art_queue(Art *, unsigned node);
/* Returns true if neither the node nor an ancestor is covered or impossible. Only such nodes are expanded, and may cover. */
bool art_alive(const Art *, unsigned node);
/* Returns true if the set has the block step. */
bool art_has(const uint64_t *set, unsigned block_step);
/* Adds the block step to the set. */
void art_put(uint64_t *set, unsigned block_step);
/* Returns the node at the end of the node's chain of coverers. */
unsigned art_coverer(const Art *, unsigned node);
unsigned art_common_ancestor(const Art *, unsigned, unsigned);
/* Returns the nodes from the ancestor `from` to `to`, as a vec. */
unsigned *art_path(const Art *, unsigned from, unsigned to);
/* Adds an assertion that holds at the node to its label. Nodes whose cover becomes invalid are uncovered. Returns true if the label has changed. */
bool art_strengthen(Art *, unsigned node, const Expr *assertion);
/* Uncovers all nodes that the node and its descendants cover. */
void art_release(Art *, unsigned node);
/* Answers whether the path of nodes, followed by a step with this guard, is possible from a state of `initially`. If the path is impossible,
   strengthens the nodes by interpolants. */
PathAnswer art_interpolate(Art *, const Expr *initially, const unsigned *path, const Expr *guard, const Symbol *const *inputs);
/* Returns the formula of the initial states. */
const Expr *art_initially(const Art *);
/* Returns true if the solver shows in short time that the two formulas exclude each other. */
bool art_excludes(Art *, const Expr *, const Expr *);

/* ---- cover.c ---- */
/* Returns true if the node's label is known to imply the assertion. */
bool cover_implies(Art *, unsigned node, const Expr *assertion);
/* Covers the node by an older node if possible, and returns true if it did. With force, strengthens the node for that. */
bool cover_close(Art *, unsigned node, bool force);

/* ---- reduce.c ---- */
/* Adds the block steps that sleep after `block_step` to the set `sleep`. `before` has the block steps whose edges at the
   node come before those of `block_step`. */
void reduce_sleep(Art *, unsigned node, unsigned block_step, const uint64_t *before, uint64_t *sleep);

/* ---- explore.c ---- */
typedef enum Explored { EXPLORED_SAFE, EXPLORED_ERROR, EXPLORED_UNKNOWN } Explored;
/* Expands the tree until it is a proof, an error is found, or the deadline is met. */
Explored explore(Art *);

/* ---- certify.c ---- */
/* Returns the nodes of the proof as a vec, the root first: the nodes that the root reaches, with covered nodes replaced by their coverers. */
unsigned *certify_needed(const Art *);
/* Returns the tree as a proof. */
Proof *certify(const Art *, Chain *);
