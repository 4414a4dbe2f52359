/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs places where the code of clang 19 differs from the meaning of C. */
#pragma once
#include <llvm-c/Core.h>

/* Repairs operations on atomic objects that clang translates to a loop, which tries to exchange the value that it read and repeats if
   that fails.
   - p++ and p-- get the value that was exchanged instead of the one read first.
   - A bool becomes 0 or 1. */
void repair_atomics(LLVMModuleRef);

/* clang calls these functions for undefined arithmetic. SUM: a sum that overflows, or a signed left shift that loses bits. DIVISION: a
   division by zero, or of the least number by -1. */
#define UNDEFINED_SUM "__heddle_undefined_sum"
#define UNDEFINED_DIVISION "__heddle_undefined_division"
/* Gives these names to the functions that clang calls. */
void name_checks(LLVMModuleRef);
