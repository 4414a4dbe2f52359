/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_LEAVE_OUT_COVERED_H
#define HEDDLE_PASSES_PROGRAM_LEAVE_OUT_COVERED_H
#include "ir/program.h"

void leave_out_covered(Program *);

#endif
