/* SPDX-License-Identifier: Apache-2.0 */
/* Is a proof one? It becomes obligations, formulas that must be valid; see doc/rules.md, "Certificates".
   Independent of the analyses, transformations and engines that found it. */
#pragma once
#include "smt/smt.h"
#include "result/proof.h"

typedef struct ProofReport {
    uint64_t obligations; /* formulas given to the solver */
    uint64_t trivial;     /* that needed none: nothing in common, or simplified to true */
    char failed[320];     /* the first that does not hold, or "" */
} ProofReport;

/* Discharge every obligation, within so many seconds. certificate (may be NULL) gets them as SMT-LIB, each to be
   answered unsat. */
bool proof_check(const Proof *, Smt *, double seconds, ProofReport *, Buf *certificate);
