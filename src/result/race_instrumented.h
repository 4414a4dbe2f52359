/* SPDX-License-Identifier: Apache-2.0 */
/* Describes which pairs of accesses the pass `instrument-races` did not instrument, for the check of its omission. */
#pragma once
#include "result/race_proof.h"

/* Names an action that the pass added, and the original action whose access the added one claims or sees. */
typedef struct RaceAdded {
    unsigned template_, action, original;
} RaceAdded;

typedef struct RaceClaim {
    const RaceProof *proof; /* why the other pairs cannot race; NULL: no proof was used */
    RaceAdded *added;       /* a vec */
} RaceClaim;
