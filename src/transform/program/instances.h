/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_INSTANCES_H
#define HEDDLE_TRANSFORM_PROGRAM_INSTANCES_H
#include "verdict/translation.h"

/* A template for each thread; what can be created without bound stays one template marked many. */
void instances(Program *, Translation *);

#endif
