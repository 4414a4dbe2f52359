/* SPDX-License-Identifier: Apache-2.0 */
/* Answers a question about a program by the plans that are for it (plans.def). */
#pragma once
#include "passes/loaded.h"
#include "process/portfolio.h"

/* Returns the best verdict that the plans find by the deadline; it is accepted (check/accept.h). The program is that of the question; the loaded
   one is for lemmas that ask another question, and may be NULL where the program's memory is not C11. */
Verdict *answer(const Config *, const Loaded *, const Program *, const Question *, TimeSlot);
