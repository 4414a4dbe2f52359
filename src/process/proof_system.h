/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the system of a proof anew, for the check. The engine contributes only the settings with which it made its own system. */
#pragma once
#include "passes/prepare.h"
#include "passes/route.h"

/* Makes the program and the system, with its locks, from the program of the route. The first line of the proof has the settings. errors:
   violations of the question are errors in the engine's program. Returns false and sets *why if this fails or the settings leave out
   executions. Release *made in either case. */
bool system_for_proof(Route *, bool errors, const char *proof, Chain *made, Buf *why);
/* Returns the proof, which owns its system. Appends to the vec what the passes left out on the way to the system. Returns NULL and sets *why on failure. */
Proof *proof_about(Route *, bool errors, const char *proof, Omission **omissions, Buf *why);
