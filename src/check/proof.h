/* SPDX-License-Identifier: Apache-2.0 */
/* Is a proof one? It becomes obligations, formulas that must be valid; see doc/rules.md, "Certificates".
   Independent of the analyses, transformations and engines that found it. */
#pragma once
#include "result/lock_order.h"
#include "result/proof.h"
#include "result/race_proof.h"
#include "smt/smt.h"

typedef struct ProofReport {
    uint64_t obligations; /* formulas given to the solver */
    uint64_t trivial;     /* that needed none: nothing in common, or simplified to true */
    char failed[320];     /* the first that does not hold, or "" */
} ProofReport;

/* Discharge every obligation, within so many seconds. certificate (may be NULL) gets them as SMT-LIB, each to be
   answered unsat. */
bool proof_check(const Proof *, Smt *, double seconds, ProofReport *, Buf *certificate);

/* A second opinion: cvc5, as a program of its own, answers unsat to every question of the certificate. */
bool recheck(const char *certificate, double seconds, Buf *why_not);

/* Does every claim hold, and do the claims keep every two accesses apart that might race? *obligations: what was looked at. words, if not NULL: what keeps the
   accesses apart, for display. False: *why. */
bool race_free_check(const RaceProof *, uint64_t *obligations, Buf *words, Buf *why);

/* Is a claimed order of locks one: are locks held only where it is claimed, and taken in its order? doc/rules.md, "An order of locks".
   False: *why says which rule it breaks. *kept: how many waits keep to the order. certificate (may be NULL): what is to hold of each of them,
   as SMT-LIB. */
bool lock_order_check(const Program *, const LockOrder *, uint64_t *kept, Buf *certificate, Buf *why);
