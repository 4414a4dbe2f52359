/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"
#include "result/proof.h"

/* The proof by places in the source, as JSON, for the page of --html: threads, what holds where they are, blocks, movers. */
void proof_view(Buf *, const Proof *);
