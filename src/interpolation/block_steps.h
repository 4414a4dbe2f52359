/* SPDX-License-Identifier: Apache-2.0 */
/* Makes block steps: runs of one thread from stop to stop (passes/reduce/blocks.h), each as one transition. An execution at the granularity
   of blocks is a sequence of block steps. The text form of proofs calls them letters. */
#pragma once
#include "passes/reduce/blocks.h"
#include "result/proof.h"

typedef struct BlockStep {
    Transition step; /* the composed transition; step.index is the index of the block step */
    unsigned thread;
    unsigned *transitions;    /* a vec: the transitions of the run, in order */
    unsigned *reads, *writes; /* sorted vecs: the relevant variables (system_relevant) that the block step reads or writes */
} BlockStep;

typedef struct BlockSteps {
    const System *system;
    BlockStep *list;         /* a vec */
    unsigned ***starting_at; /* by thread and location: a vec of the block steps that start there */
} BlockSteps;

BlockSteps *block_steps_new(const System *, const Blocks *);
void block_steps_free(BlockSteps *);
/* Adds the block steps to a proof by the rule reduced, in the same order. */
void block_steps_in_proof(const BlockSteps *, Proof *);
/* True if the block step ends at an ERROR or STOP location. */
bool block_step_is_bad(const BlockSteps *, const BlockStep *);
/* True if neither block step writes a variable that the other one reads or writes. */
bool block_steps_disjoint(const BlockStep *, const BlockStep *);
/* Returns a formula that is valid if and only if first, then second can be replaced by second, then first. That is, whenever the first
   order is possible, so is the second one, with the same inputs and the same values of relevant variables. */
const Expr *block_steps_swap(const System *, const bool *relevant, const BlockStep *first, const BlockStep *second);
