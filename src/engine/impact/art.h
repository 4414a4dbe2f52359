/* SPDX-License-Identifier: Apache-2.0 */
/* The abstract reachability tree of the engine `impact`, with what its parts share: art.c has the nodes and their labels, cover.c
   Close and force cover, reduce.c which letters are asleep, explore.c Expand, Refine and the main loop, certify.c the proof.

   The tree is a proof of RULE_REDUCED in the making (doc/rules.md). At all times:
   - labels follow along edges: label(n) and the step's guard imply label(child) after the step;
   - a covered node's label implies its coverer's, and what is asleep at the coverer is asleep at the covered node; a coverer is
     older than what it covers, and alive (art_alive);
   - labels only get stronger and sleep sets only get smaller, so what was shown of letters that commute stays true.
   It is a proof once each node that can be reached from the root, with covered nodes replaced by their coverers, is explored. */
#pragma once
#include "engine/symbolic.h"
#include "interpolation/interpolate.h"
#include "interpolation/control_states.h"

typedef struct ArtEdge {
    unsigned letter, child;
} ArtEdge;

typedef struct ArtNode {
    unsigned vector, parent, depth;
    const ControlStep *step;    /* from the parent's vector; NULL for the root */
    const Expr **label;         /* a vec of assertions; what is plain at the vector is put in */
    const Expr *conjunction;    /* of them */
    uint64_t *sleep, *explored; /* a bit for each letter: left to others; has its edges, or is bad and was shown impossible */
    ArtEdge *edges;             /* a vec, in the order of the rule: those that others stand back for first */
    unsigned coverer;           /* a node, or NONE */
    unsigned *covers;           /* a vec: nodes that it covers, or did */
    unsigned forced;            /* how often it was strengthened to be covered */
    unsigned switches;          /* of threads, on the path to it */
    bool impossible;            /* labelled false */
    bool dead;                  /* control_states_dead */
    bool queued;
} ArtNode;

typedef struct Art {
    const EngineTask *task;
    double deadline, next_progress;
    const System *system;
    Smt *smt;
    BlockSteps *letters;
    ControlStates *vectors;
    Interpolator *interpolator;
    size_t words;   /* of a set of letters */
    ArtNode *nodes; /* a vec; the first is the root */
    unsigned *work; /* a vec: nodes that may need exploring */
    unsigned **at;  /* by vector: a vec of its nodes, older ones first */
    Map *steps;     /* ControlStep -> PathStep in steps_list + 1 */
    PathStep *step_list;
    Map *implied;           /* pair of a conjunction and an assertion -> bool */
    Map *exchanges;         /* (vector, letter, letter) -> whether they commute there, see reduce.c */
    Map *tried;             /* pairs of nodes: force cover failed with these labels */
    Map *conditional;       /* (node, letter, letter): the path was asked for a reason why they commute */
    bool *back;             /* by letter: it closes a loop of its thread (a vec) */
    bool not_known;         /* whether a path is possible: there will be no proof */
    unsigned stopped;       /* a letter to what is not modelled that is possible: no proof either; NONE: there is none */
    ScheduleStep *schedule; /* a vec: of an execution to an error */
    unsigned reached;       /* … the letter it ends with, or NONE */
} Art;

/* ---- art.c ---- */
/* What is said above of parents, edges, coverers and what is asleep; looks at every node once. */
bool art_valid(const Art *);
Art *art_new(const EngineTask *, Chain *, double deadline);
void art_free(Art *);
unsigned art_add(Art *, unsigned parent, const ControlStep *, unsigned vector); /* label true, nothing asleep */
/* A possible reason to explore it. */
void art_queue(Art *, unsigned node);
/* Neither it nor an ancestor is covered or impossible: worth unfolding, and covering with. */
bool art_alive(const Art *, unsigned node);
bool art_has(const uint64_t *set, unsigned letter);
void art_put(uint64_t *set, unsigned letter);
/* The node that stands for it: the end of its chain of covers. */
unsigned art_standing(const Art *, unsigned node);
unsigned art_common_ancestor(const Art *, unsigned, unsigned);
/* The nodes from `from`, an ancestor, to `to`: a vec. */
unsigned *art_path(const Art *, unsigned from, unsigned to);
/* The assertion holds at the node: its label gets it. Who was covered by it and no longer is becomes uncovered. True: the label
   changed. */
bool art_strengthen(Art *, unsigned node, const Expr *assertion);
/* What the node and those below it cover is covered no longer. */
void art_release(Art *, unsigned node);
/* Is the path of nodes, followed by a step with this guard, possible from a state of `initially`? If not, the nodes are labelled with the reason. */
PathAnswer art_interpolate(Art *, const Expr *initially, const unsigned *path, const Expr *guard, const Symbol *const *inputs);
/* The initial state. */
const Expr *art_initially(const Art *);
/* The conjunction is unsatisfiable, as far as a solver can tell in short time. */
bool art_excludes(Art *, const Expr *, const Expr *);

/* ---- cover.c ---- */
/* Does the node's label imply the assertion? */
bool cover_implies(Art *, unsigned node, const Expr *assertion);
/* Cover the node by an older one, if possible; with force, strengthen it for that. */
bool cover_close(Art *, unsigned node, bool force);

/* ---- reduce.c ---- */
/* What is asleep after a letter: `before` are the letters whose edges come before its own. */
void reduce_sleep(Art *, unsigned node, unsigned letter, const uint64_t *before, uint64_t *sleep);

/* ---- explore.c ---- */
typedef enum Explored { EXPLORED_SAFE, EXPLORED_ERROR, EXPLORED_UNKNOWN } Explored;
Explored explore(Art *);

/* ---- certify.c ---- */
/* The nodes that are needed: a vec, the root first. */
unsigned *certify_needed(const Art *);
Proof *certify(const Art *, Chain *);
