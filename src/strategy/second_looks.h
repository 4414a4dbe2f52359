/* SPDX-License-Identifier: Apache-2.0 */
/* Examines an accepted verdict for display. It finds out if a proof is vacuous, if an execution needs an unfair scheduler, and which fences
   exclude an execution. The results are notes and warnings, and the verdict stays. */
#pragma once
#include "strategy/strategy.h"

/* Warns if no execution of a proved program reaches an assertion, and notes faults that the property did not check. */
void check_vacuity(const Config *, const Program *, const Question *, Verdict *, TimeSlot);
/* Returns the verdict under fair schedulers, for a program with an endless execution. UNKNOWN if a short time does not suffice. */
VerdictKind verify_under_fairness(const Config *, const Loaded *, const Program *, const Question *, TimeSlot);
/* (fences.c) Adds notes about an execution under weak memory: that it is impossible under sequential consistency, and which fences exclude
   it. Each note is proved first, in a short time. */
void suggest_fences(const Config *, const Loaded *, const Program *, const Question *, Verdict *, TimeSlot);
