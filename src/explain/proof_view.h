/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the data of a proof for the page of --html. */
#pragma once
#include "base/buf.h"
#include "result/proof.h"

/* Adds the proof as JSON: the threads, the formulas that hold at places in the source, the blocks and the movers. */
void proof_view(Buf *, const Proof *);
