/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_MUTEX_KINDS_H
#define HEDDLE_PASSES_PROGRAM_MUTEX_KINDS_H
#include "ir/program.h"
#include "result/translation.h"

void mutex_kinds(Program *, Translation *);

#endif
