/* SPDX-License-Identifier: Apache-2.0 */
/* What clang 19 makes of C that C does not mean. */
#pragma once
#include <llvm-c/Core.h>

/* Operations on atomic objects that clang makes a loop of: it tries to exchange the value it has seen, and sees another if that fails.
   - p++ and p-- are the value that was exchanged, not the one seen first.
   - A bool becomes 0 or 1. */
void repair_atomics(LLVMModuleRef);

/* What clang calls where it finds arithmetic that is not defined: a signed shift to the left that loses bits, a sum that overflows; a division
   by zero, or of the least number by -1. */
#define UNDEFINED_SUM "__heddle_undefined_sum"
#define UNDEFINED_DIVISION "__heddle_undefined_division"
/* Gives these names to clang's functions. */
void name_checks(LLVMModuleRef);
