/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the claims of a certificate in place of running engines. */
#pragma once
#include "process/worker.h"

/* Returns the verdict of the claim about the work's program (Config.claims) after its check. Returns UNKNOWN if there is no such claim. */
Verdict *claims_check(const Work *);
