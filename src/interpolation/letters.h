/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one thread from stop to stop (passes/reduce/blocks.h), each as one transition: the letters of which executions at
   the granularity of blocks are words. */
#pragma once
#include "passes/reduce/blocks.h"
#include "result/proof.h"

typedef struct Letter {
    Transition step; /* composed: its guard, updates and inputs; step.index is the letter's own */
    unsigned thread;
    unsigned *transitions;    /* a vec: what it is composed of */
    unsigned *reads, *writes; /* vecs of variables, sorted: those that matter (system_relevant) */
} Letter;

typedef struct Letters {
    const System *system;
    Letter *list;     /* a vec */
    unsigned ***from; /* by thread, by location: a vec of letters; empty where no run starts */
} Letters;

Letters *letters_new(const System *, const Blocks *);
void letters_free(Letters *);
/* Name them in a proof by the rule reduced, in the same order. */
void letters_in_proof(const Letters *, Proof *);
/* It ends at an ERROR or a STOP. */
bool letter_is_bad(const Letters *, const Letter *);
/* They have nothing in common that one of them writes. */
bool letters_disjoint(const Letter *, const Letter *);
/* Valid iff first, then second can be exchanged: whenever it can be done, so can second, then first, with the same
   inputs and the same result for variables that matter. */
const Expr *letters_swap(const System *, const bool *relevant, const Letter *first, const Letter *second);
