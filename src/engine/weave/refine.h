/* SPDX-License-Identifier: Apache-2.0 */
/* Refines the proof by a path that it does not exclude. The path may be possible. Otherwise, assertions are added that exclude the path, or, better,
   assertions by which its block steps commute, so that the reduction need not contain it. */
#pragma once
#include "engine/weave/cover.h"
#include "interpolation/interpolate.h"

typedef enum Lesson {
    REFINE_LEARNED,  /* the proof has grown */
    REFINE_POSSIBLE, /* the system has an execution along the path */
    REFINE_NOTHING,  /* the proof already has all assertions that were found */
    REFINE_FULL,     /* the proof has no room for more assertions */
    REFINE_UNKNOWN   /* the solver cannot decide whether the path is possible */
} RefineResult;

/* Adds assertions for the path to the part at work (Space.part). */
RefineResult refine_proof(Space *, Interpolator *, Smt *, const Order *, const TracePoint *trace /* a vec */);
