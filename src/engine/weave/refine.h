/* SPDX-License-Identifier: Apache-2.0 */
/* What a path that the proof does not exclude teaches: that it is possible, or assertions that exclude it, or, better, assertions by which its letters
   commute so that the order of preference need not look at it. */
#pragma once
#include "engine/weave/cover.h"
#include "interpolation/interpolate.h"

typedef enum Lesson {
    LESSON_LEARNED,  /* the proof has grown */
    LESSON_POSSIBLE, /* the path is one of the system */
    LESSON_NOTHING,  /* the proof has all assertions already that were found */
    LESSON_FULL,     /* it has no room for more */
    LESSON_UNKNOWN   /* the solver does not tell */
} Lesson;

Lesson refine_proof(Space *, Interpolator *, Smt *, const Order *, const TracePoint *trace /* a vec */);
