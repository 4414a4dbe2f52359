/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads certificates. A certificate is a script of SMT-LIB: each of its queries must be answered unsat. Its comments have the
   proofs from which the queries follow, as claims, so that the check can find the same queries again without an engine. doc/proof.md
   describes the form. */
#pragma once
#include "result/verdict.h"

/* A proof of one program. `key` names the program, by the plan and the property. */
typedef struct Claim {
    char *engine, *key;
    ProofKind proof;
    uint64_t states; /* PROOF_EXHAUSTED */
    char *text;      /* PROOF_INVARIANT: the text of the proof (proof_text.h) */
    uint64_t *order; /* PROOF_ORDER: the lock order as numbers (lock_order.h); a vec */
} Claim;

/* The answer to one question. */
typedef struct CertifiedAnswer {
    char *property; /* as property_text has it */
    Claim *claims;  /* a vec */
    char *script;   /* its lines without comments */
} CertifiedAnswer;

typedef struct Certificate {
    CertifiedAnswer *answers; /* a vec */
} Certificate;

/* Adds the head of an answer, and the claim of an accepted SAFE verdict. */
void certificate_put_answer(Buf *, const char *property);
void certificate_put_claim(Buf *, const Verdict *, const char *key);
/* Adds the lines of the text that are not comments. */
void certificate_script(Buf *, const char *text);

/* Reads a certificate. Returns NULL and sets *error if the text is not a certificate. */
Certificate *certificate_parse(const char *name, const char *text, Buf *error);
void certificate_free(Certificate *);
/* Return the answer of the property and the claim about the program, or NULL. */
const CertifiedAnswer *certificate_answer(const Certificate *, const char *property);
const Claim *certificate_claim(const CertifiedAnswer *, const char *key);
/* Returns the claim as the verdict that an engine sends. */
Verdict *claim_verdict(const Claim *);
/* Returns the first line, from 1, in which two scripts differ; 0: they are equal. */
size_t certificate_differs(const char *one, const char *other);
