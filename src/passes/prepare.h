/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the system that a symbolic engine works on, by the tables of passes.h: one template for each thread, memory as variables, integers
   where possible, then movers and blocks. */
#pragma once
#include "base/stats.h"
#include "passes/passes.h"
#include "result/verdict.h"

/* Makes the chain of a copy of the program in which violations of the property are errors (no change for PROPERTY_UNREACH_CALL). Returns
   NULL, or UNKNOWN with the reason why a pass refuses. The caller frees the chain in both cases. */
Verdict *instrument_property(Chain *, const Program *, const Question *);
/* Runs the passes that all systems of the chain's program share, whatever their settings. No pass begins after `until`. The callback
   `after` of the chain is called for these passes, too. The result has no program if a pass refused, or if the time was over. */
Chain prepare_common(const Chain *, double until);
/* Makes the system with these settings, for the engine of this name. Returns NULL, or UNKNOWN with the reason. The caller frees the chain
   in both cases. `common` may be NULL. Otherwise it is the result of prepare_common for this program and question, and may be moved into
   the chain, if the settings allow. */
Verdict *prepare(Chain *, const Program *, Chain *common, PassSettings, const char *engine);
/* Finds the locks, movers and blocks. stats gets the number of blocks, and may be NULL. */
void prepare_blocks(Chain *, Stats *stats);
/* Returns a proof by the rule with the chain's system, blocks, movers and facts. The proof then owns program and system, and the caller
   adds the invariants. */
Proof *chain_proof(Chain *, ProofRule);
/* Returns a position of a transformed program with a file name that lives as long as the original program. */
Position chain_position(const Program *original, Position);
/* Returns UNKNOWN, because an execution reaches code that is not modelled: this STOP location. */
Verdict *chain_stopped(const Program *original, const SystemLocation *stop, const char *engine);
