/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables hold signed numbers, where no declaration says so.

   requires  a program without memory (regions)
   ensures   variables without declared type (temporaries, cells of the heap) are signed or unsigned as they are
             mostly used
   breaks    nothing: no verdict depends on it

   With the sign that a value is used with, integer arithmetic (transform/integers) needs no conversions. */
#pragma once
#include "ir/program.h"

void infer_signs(Program *);
