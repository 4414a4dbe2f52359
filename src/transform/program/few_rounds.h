/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_FEW_ROUNDS_H
#define HEDDLE_TRANSFORM_PROGRAM_FEW_ROUNDS_H
#include "verdict/translation.h"

void few_rounds(Program *, Translation *, unsigned rounds);

#endif
