/* SPDX-License-Identifier: Apache-2.0 */
/* Accepts a verdict that has a witness, and turns any other into UNKNOWN with the reason. Nothing becomes SAFE or UNSAFE elsewhere; a lemma
   (strategy/lemmas.c) or a failed check of a proof (process/worker.c) may still make UNKNOWN of it. */
#pragma once
#include "result/race_proof.h"
#include "result/verdict.h"

/* Returns the verdict, or what is left of it. A trace must replay on the program and assume nothing that is not known; a proof must have
   passed its check.
   apart: why accesses cannot race, for PROOF_RACE_FREE; NULL: nothing is known. recheck_seconds: so long may cvc5 take; 0: it is not asked. */
Verdict *accept_verdict(const Program *, const Question *, Verdict *, const RaceProof *apart, double recheck_seconds);
