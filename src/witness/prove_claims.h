/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants of a witness of ours: those of the proof that hold in every interleaving, proved once more. */
#ifndef HEDDLE_WITNESS_PROVE_CLAIMS_H
#define HEDDLE_WITNESS_PROVE_CLAIMS_H
#include "process/job.h"
#include "result/verdict.h"

/* The verdict is SAFE. What was proved is in job->claims, for publish; `prove` runs the engines. */
void prove_claims(Job *, const Verdict *, Verdict *(*prove)(Job *));

#endif
