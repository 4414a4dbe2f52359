/* SPDX-License-Identifier: Apache-2.0 */
/* Looks again at a verdict that was accepted, for display: is a proof vacuous, does an execution need an unfair scheduler, which fences exclude
   it? What is found are notes and warnings; the verdict stays. */
#pragma once
#include "strategy/strategy.h"

/* Warns if no execution of a proved program reaches an assertion, and notes what the property did not ask. */
void look_for_vacuity(const Config *, const Program *, const Question *, Verdict *, TimeSlot);
/* Returns what holds under fair schedulers, of an endless execution; UNKNOWN if it was not found soon. */
VerdictKind look_under_fairness(const Config *, const Loaded *, const Program *, const Question *, TimeSlot);
/* (fences.c) Adds notes about an execution under weak memory: that it cannot happen under sequential consistency, and which fences exclude it; each only if
   it is proved, in a short time. */
void look_for_fences(const Config *, const Loaded *, const Program *, const Question *, Verdict *, TimeSlot);
