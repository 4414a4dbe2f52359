/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one thread from stop to stop (passes/reduce/blocks.h), each as one transition: the letters of which executions at
   the granularity of blocks are words. */
#pragma once
#include "passes/reduce/blocks.h"
#include "result/proof.h"

typedef struct BlockStep {
    Transition step; /* composed: its guard, updates and inputs; step.index is the letter's own */
    unsigned thread;
    unsigned *transitions;    /* a vec: what it is composed of */
    unsigned *reads, *writes; /* vecs of variables, sorted: those that matter (system_relevant) */
} BlockStep;

typedef struct BlockSteps {
    const System *system;
    BlockStep *list;  /* a vec */
    unsigned ***from; /* by thread, by location: a vec of letters; empty where no run starts */
} BlockSteps;

BlockSteps *block_steps_new(const System *, const Blocks *);
void block_steps_free(BlockSteps *);
/* Name them in a proof by the rule reduced, in the same order. */
void block_steps_in_proof(const BlockSteps *, Proof *);
/* It ends at an ERROR or a STOP. */
bool letter_is_bad(const BlockSteps *, const BlockStep *);
/* They have nothing in common that one of them writes. */
bool block_steps_disjoint(const BlockStep *, const BlockStep *);
/* Valid iff first, then second can be exchanged: whenever it can be done, so can second, then first, with the same
   inputs and the same result for variables that matter. */
const Expr *block_steps_swap(const System *, const bool *relevant, const BlockStep *first, const BlockStep *second);
