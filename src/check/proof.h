/* SPDX-License-Identifier: Apache-2.0 */
/* Checks proofs. A proof becomes obligations, which are formulas that must be valid; see doc/rules.md, "Certificates". The check is
   independent of the analyses, passes and engines that found the proof. */
#pragma once
#include "result/lock_order.h"
#include "result/proof.h"
#include "result/race_proof.h"
#include "smt/smt.h"

typedef struct ProofReport {
    uint64_t obligations; /* formulas given to the solver */
    uint64_t trivial;     /* obligations without a query: no common variables, or simplified to true */
    char failed[320];     /* the first obligation that does not hold, or "" */
} ProofReport;

/* Discharges every obligation within `seconds`. The certificate (may be NULL) gets them as SMT-LIB; each query must be answered unsat. */
bool proof_check(const Proof *, Smt *, double seconds, ProofReport *, Buf *certificate);

/* Returns whether cvc5, run as a program of its own, answers unsat to every query of the certificate. Sets *why_not if it does not. */
bool recheck(const char *certificate, double seconds, Buf *why_not);

/* Returns whether all facts hold and order every two accesses that might race; otherwise sets *why. Counts the checked facts and
   accesses in *obligations, and adds a line for each to the certificate, which may be NULL. Adds to words, unless it is NULL, how the accesses of each place are ordered, for display. */
bool race_free_check(const RaceProof *, uint64_t *obligations, Buf *certificate, Buf *words, Buf *why);

/* Returns whether all facts hold; otherwise sets *why. Calls `found` for each pair of accesses that they do not order. */
bool race_facts_check(const RaceProof *, RaceFound *found, void *context, Buf *why);

/* Returns whether locks are held only where the claim states it, and are taken in the claimed order; otherwise sets *why to the broken
   rule. See doc/rules.md, "An order of locks". Counts in *kept the obligations: a lock is taken while another one may be held, or alone. The
   certificate (may be NULL) gets each of them, the first kind as SMT-LIB. */
bool lock_order_check(const Program *, const LockOrder *, uint64_t *kept, Buf *certificate, Buf *why);
