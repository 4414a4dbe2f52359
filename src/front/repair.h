/* SPDX-License-Identifier: Apache-2.0 */
/* What clang 19 makes of C that C does not mean. */
#pragma once
#include <llvm-c/Core.h>

/* Operations on atomic objects that clang makes a loop of: it tries to exchange the value it has seen, and sees another if that fails.
   - p++ and p-- are the value that was exchanged, not the one seen first.
   - A bool becomes 0 or 1. */
void repair_atomics(LLVMModuleRef);
