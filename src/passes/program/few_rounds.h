/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_FEW_ROUNDS_H
#define HEDDLE_PASSES_PROGRAM_FEW_ROUNDS_H
#include "result/translation.h"

void few_rounds(Program *, Translation *, unsigned rounds);

#endif
