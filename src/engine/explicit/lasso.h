/* SPDX-License-Identifier: Apache-2.0 */
/* Endless executions: a way to a state, and from there to the same state again. */
#ifndef HEDDLE_EXPLICIT_LASSO_H
#define HEDDLE_EXPLICIT_LASSO_H
#include "engine/explicit/explicit.h"

typedef enum LassoEnd {
    LASSO_NONE,  /* every state was visited, and none comes again on the way from it */
    LASSO_FOUND, /* the trace is in the context */
    LASSO_LIMIT  /* of time or memory */
} LassoEnd;
typedef struct Lasso Lasso;

/* until: seconds since the engine's start. reduce false: every step of every thread is tried everywhere. */
LassoEnd lasso_search(Context *, bool reduce, double until, uint64_t *states);

#endif
