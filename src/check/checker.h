/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the checker of proofs. */
#ifndef HEDDLE_CHECK_CHECKER_H
#define HEDDLE_CHECK_CHECKER_H
#include "base/map.h"
#include "check/proof.h"

enum { OBLIGATION_MS = 20000 };

typedef struct Toucher {
    unsigned thread, transition;
    bool writes;
} Toucher;

typedef struct Checker {
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Smt *smt;
    double deadline;
    ProofReport *report;
    Buf *certificate;
    bool ok;
    char name[200];
    bool *relevant;     /* by variable (system_relevant): what swapped transitions must agree on */
    Toucher **touchers; /* by variable: who reads or writes it */
    unsigned **stamps;  /* by thread, transition: the last question it was considered for */
    unsigned stamp;
    Map *groups; /* hash of a location vector -> list of nodes */
    Update **constants; /* by node: what its invariant says is a constant */
} Checker;

/* What is being checked, for certificates and refusals. */
void checker_name(Checker *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first refusal counts. */
void checker_refuse(Checker *, const char *why);
/* hypothesis implies conclusion */
void checker_obligation(Checker *, const Expr *hypothesis, const Expr *conclusion);
/* One that was discharged otherwise: into the certificate, negated. */
void checker_write(Checker *, const Expr *negated);
const Expr *checker_initially(Checker *);

void check_reduced(Checker *); /* check/reduced.c */

#endif
