/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_SETTLE_H
#define HEDDLE_PASSES_PROGRAM_SETTLE_H
#include "ir/program.h"

void settle(Program *); /* see settle.c */

#endif
