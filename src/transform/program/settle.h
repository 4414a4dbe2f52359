/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_SETTLE_H
#define HEDDLE_TRANSFORM_PROGRAM_SETTLE_H
#include "ir/program.h"

void settle(Program *); /* see settle.c */

#endif
