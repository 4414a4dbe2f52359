/* SPDX-License-Identifier: Apache-2.0 */
/* Accepts a verdict that has a witness, and turns any other verdict into UNKNOWN with the reason. No other file makes a verdict SAFE or
   UNSAFE. A lemma (strategy/lemmas.c) or a failed check of a proof (process/worker.c) may still turn it into UNKNOWN. */
#pragma once
#include "result/race_proof.h"
#include "result/verdict.h"

/* Returns the verdict, or an UNKNOWN in its place. A trace must replay on the program without assumptions, and a proof must have passed
   its check.
   The static race proof `apart` is for PROOF_RACE_FREE; NULL: none. recheck_seconds: the time for cvc5; 0: cvc5 is not used. */
Verdict *accept_verdict(const Program *, const Question *, Verdict *, const RaceProof *apart, double recheck_seconds);

/* Adds to a SAFE verdict, and to its certificate, what was left out on the way to it. Returns UNKNOWN instead if the claim of an omission is
   not discharged. Other verdicts do not change. */
Verdict *accept_omissions(Verdict *, const Omission *list);
