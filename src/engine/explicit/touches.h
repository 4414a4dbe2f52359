/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction may touch in whatever state, by what its address can point to: heap objects are told apart by where they are allocated, and by
   their parts. The bits of the heap have nothing to do with those of steps that were taken (ir/step.h, footprints). */
#pragma once
#include "ir/step.h"

typedef struct Touches Touches;
Touches *touches_new(const Program *, const Machine *);
void touches_free(Touches *);
/* Of an instruction, or a guard (instr NULL) and reaching the target. */
Footprint touches_of(Touches *, const Template *, const Action *, const Instr *);
