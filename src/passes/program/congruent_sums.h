/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that need not be brought back into the range of their type when arithmetic leaves it.

   requires  a program without memory (regions), signs are known
   ensures   those variables are marked congruent
   breaks    nothing

   Unsigned arithmetic wraps around. As long as nobody looks at a sum's value, but only adds to it and at last asks
   whether it equals another, it is as good to keep any integer that is congruent to it: sums stay linear. A variable
   is marked if it is unsigned, is the result of arithmetic that may wrap or a copy of such, and is used in sums,
   products, copies and comparisons for equality with what is no constant alone, and so are all those it is copied
   to. */
#pragma once
#include "ir/program.h"

void mark_wide(Program *);
