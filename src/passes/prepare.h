/* SPDX-License-Identifier: Apache-2.0 */
/* From a program to what symbolic engines work on, by the tables of passes.h: one template per thread, memory as
   variables, integers where possible; then movers and blocks. */
#pragma once
#include "base/stats.h"
#include "passes/passes.h"
#include "result/verdict.h"

/* A copy of the program in which violations of the property are errors (PROPERTY_UNREACH_CALL: as it is). NULL, or why
   that cannot be asked. Release it in either case. */
Verdict *prepare_question(Chain *, const Program *, const Question *);
/* Makes what systems of the chain's program, with whatever settings, have in common; no pass begins after `until`. Who watches the chain watches this
   as well. It has no program if a pass refused, or it was too late. */
Chain prepare_common(const Chain *, double until);
/* NULL, or why it cannot be done, said for that engine. Release it in either case. Takes what was prepared in common of this program and
   question, if it is there (it may be NULL) and of use. */
Verdict *prepare(Chain *, const Program *, Chain *common, PassSettings, const char *engine);
/* Locks, movers and blocks. stats may be NULL. */
void prepare_blocks(Chain *, Stats *stats);
/* A proof by some rule with the system, blocks, movers and facts; the invariants are the caller's to add. */
Proof *chain_proof(Chain *, ProofRule);
/* A position of the transformed program, with a file name that outlives it. */
Position chain_position(const Program *original, Position);
/* UNKNOWN: an execution reaches this STOP, and what is not modelled there. */
Verdict *chain_stopped(const Program *original, const SystemLocation *stop, const char *engine);
