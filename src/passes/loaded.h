/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the program that a question is about of the one that was loaded for all questions. */
#pragma once
#include "ir/loaded.h"
#include "passes/passes.h"

/* Returns a copy after the passes of loading, up to the one named (NULL: all). Its positions speak of the loaded program, which must outlive it. */
Program *loaded_program(const Loaded *, const Question *, const char *last);
