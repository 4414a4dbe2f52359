/* SPDX-License-Identifier: Apache-2.0 */
/* --check-witness: does what others say of the program hold? */
#pragma once
#include "front/front.h"
#include "strategy/strategy.h"
#include "witness/witness.h"

/* Finds the properties that the witnesses speak of, those of *set if any were asked for. False: *error. */
bool check_witness_properties(const Witnesses *, bool asked, unsigned *set, Buf *error);

/* A program made of the files with text of a witness in it. */
typedef struct WithInvariants {
    Loaded loaded;
    Program *program; /* that of the question; NULL: there is none */
} WithInvariants;

/* Makes the invariants of the witness assertions of the program. False: *why. */
bool instrument_program(const FrontOptions *, const Question *, const Witness *, WithInvariants *, Buf *why);
void with_invariants_free(WithInvariants *);

/* Checks the witness that is about the question. The verdict is about *checked, which is the program given, or, for invariants, that of
   *with; *standing is what became of the witness. */
Verdict *check_witness(const Config *, const FrontOptions *, const Witnesses *, const Loaded *, const Program *, const Question *, TimeSlot,
                       WithInvariants *with, const Program **checked, WitnessStatus *standing);

/* The invariants of a witness of ours: those of the proof that hold in every interleaving, proved once more.
   Returns what was proved for the verdict, which is SAFE; NULL: nothing. */
Witnesses *prove_invariants(const Config *, const FrontOptions *, const Program *, const Question *, const Verdict *, TimeSlot);
