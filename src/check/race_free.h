/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/race_proof.h"

/* Does every claim hold, and do the claims keep every two accesses apart that might race? *obligations: what was looked at. words, if not NULL: what keeps the
   accesses apart, for people. False: *why. */
bool race_free_check(const RaceProof *, uint64_t *obligations, Buf *words, Buf *why);
