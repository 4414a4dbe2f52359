/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants of a witness of ours: those of the proof that hold in every interleaving, proved once more. */
#pragma once
#include "front/front.h"
#include "strategy/strategy.h"
#include "witness/witness.h"

/* Returns what was proved for the verdict, which is SAFE; NULL: nothing. */
Witnesses *prove_claims(const Config *, const FrontOptions *, const Program *, const Question *, const Verdict *, TimeSlot);
