/* SPDX-License-Identifier: Apache-2.0 */
/* Answers a question about a program by the plans that apply to it (plans.def). */
#pragma once
#include "passes/loaded.h"
#include "process/portfolio.h"

/* Returns the best verdict that the plans find in the time slot. The verdict is accepted (check/accept.h). The program belongs to the
   question. Lemmas that ask another question need the loaded program, which may be NULL if the program's memory is not C11. */
Verdict *answer(const Config *, const Loaded *, const Program *, const Question *, TimeSlot);
