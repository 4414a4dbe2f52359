/* SPDX-License-Identifier: Apache-2.0 */
/* The system that a proof is about, made anew by who checks the proof. An engine says only with which settings it made its own. */
#ifndef HEDDLE_STRATEGY_PROOF_SYSTEM_H
#define HEDDLE_STRATEGY_PROOF_SYSTEM_H
#include "analysis/delays.h"
#include "passes/prepare.h"

/* What a proof must be about. */
typedef struct ProofSubject {
    const Program *program;
    const Question *question;
    const Prepared *asked; /* that question, asked of that program as errors; NULL: it was not asked yet */
    const Delays *delays;  /* of that program under weak memory; NULL: not known */
} ProofSubject;

/* Makes the program and the system, with its locks, as the first line of the proof says; releases nothing of the subject. False: *why says what
   forbids it. Settings that leave out executions are forbidden. Release *made in either case. */
bool system_for_proof(const ProofSubject *, const char *proof, Prepared *made, Buf *why);
/* … and the proof, about that system, which it then owns. NULL: *why says why. */
Proof *proof_about(const ProofSubject *, const char *proof, Buf *why);

#endif
