/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_LEAVE_OUT_COVERED_H
#define HEDDLE_TRANSFORM_PROGRAM_LEAVE_OUT_COVERED_H
#include "ir/program.h"

void leave_out_covered(Program *);

#endif
