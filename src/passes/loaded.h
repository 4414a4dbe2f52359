/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the program for one question from the program that was loaded for all questions. */
#pragma once
#include "ir/loaded.h"
#include "passes/passes.h"

/* Returns a copy of the loaded program after the passes of loading, up to the pass named `last` (NULL for all). Its positions point into
   the loaded program, which must outlive it. */
Program *loaded_program(const Loaded *, const Question *, const char *last);
/* Does the same for a verdict: runs all passes, and appends to the vec what they left out, after the check of their claims. */
Program *loaded_program_checked(const Loaded *, const Question *, Omission **omissions);
