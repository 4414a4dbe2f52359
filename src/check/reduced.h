/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the files of the check of the rule reduced share. */
#pragma once
#include "check/checker.h"

/* A run of one thread from a stop to its next stop. */
typedef struct KnownRun {
    unsigned thread;
    unsigned block_step;  /* of the proof; NONE: the proof has no block step for the run */
    Transition step;      /* the run as one transition */
    bool *reads, *writes; /* vecs, by variable: relevant variables that the run reads or writes */
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
    unsigned ***from;        /* by thread, by location: a vec of indices in `runs` */
    bool **found;            /* by thread, by location: `from` is filled */
    unsigned *of_block_step; /* by block step: index of its run, or NONE */
    const Expr ***conjuncts; /* by node: a vec */
    unsigned *stamps;        /* by expression id: 1 + the last node that has it as a conjunct */
    Map *cores;              /* formula to be excluded -> 1 + index in `core_lists` */
    Core **core_lists;       /* vecs of the cores that exclude a formula */
    Solver *solver;
    Map *proxies; /* conjunct -> the Boolean that stands for it in the solver */
} Reduced;

/* Returns the runs of the thread from the location on, as a vec of indices in `runs`. Enumerates them once. */
const unsigned *reduced_runs(Reduced *, unsigned thread, unsigned location);
/* Returns the thread that is in the middle of a block, or NONE. */
unsigned reduced_inside(const Reduced *, const ProofNode *);
bool reduced_is_bad(const Reduced *, const KnownRun *);

/* ---- reduced_cores.c: conjuncts of nodes, and the formulas that they exclude ---- */
void cores_begin(Reduced *);
void cores_end(Reduced *);
void cores_at(Reduced *, unsigned node); /* to be called first for each node */
bool cores_has(const Reduced *, unsigned node, const Expr *conjunct);
/* Checks that the node's invariant excludes the formula. */
void cores_exclude(Reduced *, unsigned node, const Expr *);

/* Checks that no error can be reached without the sleeping block steps (reduced_dead.c). */
void check_dead(Reduced *, unsigned node);
