/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a certificate against a program, without an engine. */
#pragma once
#include "strategy/strategy.h"

/* Returns SAFE if the certificate has a proof of the question, the check accepts it, and the obligations of the proof are those of the
   certificate. Otherwise returns UNKNOWN with the reason. */
Verdict *check_certificate(const Config *, const Loaded *, const Program *, const Question *, const Certificate *, TimeSlot);
