/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants of a witness of ours: those of the proof that hold in every interleaving, proved once more. */
#ifndef HEDDLE_PROVE_CLAIMS_H
#define HEDDLE_PROVE_CLAIMS_H
#include "job.h"
#include "verdict/verdict.h"

/* The verdict is SAFE. What was proved is in job->claims, for publish; `prove` runs the engines. */
void prove_claims(Job *, const Verdict *, Verdict *(*prove)(Job *));

#endif
