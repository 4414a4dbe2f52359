/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/arithmetic.h"
#include "system/system.h"

/* The system of a program that regions has freed of memory, a transition for each action; it uses the program's
   expressions. NULL: *why says what stands in the way. The program stays as it is; it may be asked for another
   system. */
System *build_system(const Program *, Arithmetic, Buf *why);
