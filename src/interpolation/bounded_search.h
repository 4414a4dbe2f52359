/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for an execution to an error, by the solver, among executions of bounded length. The engines use it to put the steps of an
   abstract counterexample in an order that is an execution. */
#pragma once
#include "interpolation/block_steps.h"
#include "smt/smt.h"

/* Returns the block steps of an execution to an ERROR with at most `steps` block steps of the vec `block_steps`, as a vec of indices of
   all->list. Returns NULL if the solver finds no such execution; the search is complete if *answer is SMT_UNSAT. Frees the solver. */
unsigned *bounded_search(const Blocks *, const BlockSteps *all, Solver *, const unsigned *block_steps, unsigned steps, SmtAnswer *answer);
