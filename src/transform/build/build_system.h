/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_BUILD_BUILD_SYSTEM_H
#define HEDDLE_TRANSFORM_BUILD_BUILD_SYSTEM_H
#include "system/system.h"

/* The system of a program that regions has freed of memory, a transition for each action; it uses the program's expressions. NULL: *why says what
   stands in the way. weaker: guards that ask for numbers to differ modulo a power of two only ask that they differ. */
System *build_system(Program *, bool integers, bool weaker, Buf *why);

#endif
