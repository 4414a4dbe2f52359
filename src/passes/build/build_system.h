/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a program without memory into a transition system. */
#pragma once
#include "system/arithmetic.h"
#include "system/system.h"

/* Returns a system with a transition for each action of a program without memory (partition-memory). The system uses the program's
   expressions, so the program must outlive it. Returns NULL if the program is refused, with the reason in *why. The program does not change,
   and may be translated again. The caller frees the system with system_free. */
System *build_system(const Program *, Arithmetic, Buf *why);
