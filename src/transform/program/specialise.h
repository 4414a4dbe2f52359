/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_PROGRAM_SPECIALISE_H
#define HEDDLE_TRANSFORM_PROGRAM_SPECIALISE_H
#include "verdict/translation.h"

/* Constants are propagated, and loops that create or join threads are unrolled where constants decide them. */
void specialise(Program *, Translation *);

#endif
