/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the check of the rule reduced. */
#pragma once
#include "check/checker.h"

/* A run of one thread from a stop to its next stop. */
typedef struct KnownRun {
    unsigned thread;
    unsigned letter;      /* of the proof, or NONE: the proof does not know it */
    Transition step;      /* composed */
    bool *reads, *writes; /* vecs, by variable: those that matter */
} KnownRun;

typedef struct Core {
    const Expr **conjuncts; /* a vec */
} Core;

typedef struct Reduced {
    Checker *checker;
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    KnownRun *runs;          /* a vec */
    unsigned ***from;        /* by thread, by location: a vec of runs */
    bool **found;            /* … which is there */
    unsigned *of_letter;     /* by letter: its run, or NONE */
    const Expr ***conjuncts; /* by node: a vec */
    unsigned *stamps;        /* by expression id: the last node (+ 1) that has it as a conjunct */
    Map *cores;              /* what is to be excluded -> a vec of cores that exclude it */
    Core **core_lists;       /* all these vecs, to be freed */
    Solver *solver;
    Map *proxies; /* conjunct -> the Boolean that stands for it in the solver */
} Reduced;

/* Runs of the thread from the location on (a vec of indices in runs), found once. */
const unsigned *reduced_runs(Reduced *, unsigned thread, unsigned location);
/* The thread that is in the middle of a block; NONE: nobody. */
unsigned reduced_inside(const Reduced *, const ProofNode *);
bool reduced_is_bad(const Reduced *, const KnownRun *);

/* check/reduced_cores.c: conjuncts of nodes, and what they exclude. */
void cores_begin(Reduced *);
void cores_end(Reduced *);
void cores_at(Reduced *, unsigned node); /* before anything else is asked of the node */
bool cores_has(const Reduced *, unsigned node, const Expr *conjunct);
/* The node's invariant excludes this. */
void cores_exclude(Reduced *, unsigned node, const Expr *);

/* check/reduced_dead.c: there is no error to be reached without what is asleep. */
void check_dead(Reduced *, unsigned node);
