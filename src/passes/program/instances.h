/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_INSTANCES_H
#define HEDDLE_PASSES_PROGRAM_INSTANCES_H
#include "result/translation.h"

/* A template for each thread; what can be created without bound stays one template marked many. */
void instances(Program *, Translation *);

#endif
