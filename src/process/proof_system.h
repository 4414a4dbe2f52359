/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the system that a proof is about anew, for the check. An engine says only with which settings it made its own. */
#pragma once
#include "passes/prepare.h"
#include "passes/route.h"

/* Makes the program and the system, with its locks, as the first line of the proof says, from the program of the route; errors: the engine's
   program had violations of the question as errors. False: *why says what forbids it. Settings that leave out executions are forbidden.
   Release *made in either case. */
bool system_for_proof(Route *, bool errors, const char *proof, Chain *made, Buf *why);
/* Returns the proof, about that system, which it then owns. NULL: *why says why. */
Proof *proof_about(Route *, bool errors, const char *proof, Buf *why);
