/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the witnesses of --check-witness, which other tools have made. */
#pragma once
#include "front/front.h"
#include "strategy/strategy.h"
#include "witness/witness.h"

/* Finds the properties of the witnesses. asked: only properties in *set are kept. Returns false and sets *error if no property is left. */
bool check_witness_properties(const Witnesses *, bool asked, unsigned *set, Buf *error);

/* A program made from the files with inserted text of a witness. */
typedef struct WithInvariants {
    Loaded loaded;
    Program *program; /* the program of the question; NULL: not made */
    bool limited;     /* not made, although the witness may be right */
} WithInvariants;

/* Makes the program with the invariants of the witness as assertions. Returns false and sets *why on failure. */
bool instrument_program(const FrontOptions *, const Question *, const Witness *, WithInvariants *, Buf *why);
void with_invariants_free(WithInvariants *);

/* Checks the witness for the question. Sets *checked to the program of the verdict: the given one or, for invariants, the one in *with.
   Sets *standing to the status of the witness. */
Verdict *check_witness(const Config *, const FrontOptions *, const Witnesses *, const Loaded *, const Program *, const Question *, TimeSlot,
                       WithInvariants *with, const Program **checked, WitnessStatus *standing);

/* Proves the invariants for our own witness: those formulas of the proof that hold in every interleaving. The verdict is SAFE. Returns
   the proved invariants, or NULL if none were proved. */
Witnesses *prove_invariants(const Config *, const FrontOptions *, const Program *, const Question *, const Verdict *, TimeSlot);
