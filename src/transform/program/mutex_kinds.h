/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_MUTEX_KINDS_H
#define HEDDLE_TRANSFORM_PROGRAM_MUTEX_KINDS_H
#include "ir/program.h"
#include "verdict/translation.h"

void mutex_kinds(Program *, Translation *);

#endif
