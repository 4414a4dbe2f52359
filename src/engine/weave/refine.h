/* SPDX-License-Identifier: Apache-2.0 */
/* Refines the proof by a path that it does not exclude. The path may be possible. Otherwise, assertions are added that exclude the path, or, better,
   assertions by which its block steps commute, so that the reduction need not contain it. */
#pragma once
#include "engine/weave/cover.h"
#include "interpolation/interpolate.h"

typedef enum Lesson {
    LESSON_LEARNED,  /* the proof has grown */
    LESSON_POSSIBLE, /* the system has an execution along the path */
    LESSON_NOTHING,  /* the proof already has all assertions that were found */
    LESSON_FULL,     /* the proof has no room for more assertions */
    LESSON_UNKNOWN   /* the solver cannot decide whether the path is possible */
} Lesson;

/* Adds assertions for the path to the part at work (Space.part). */
Lesson refine_proof(Space *, Interpolator *, Smt *, const Order *, const TracePoint *trace /* a vec */);
