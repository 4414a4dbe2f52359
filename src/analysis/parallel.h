/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the threads that cannot run while another thread is at a location: they are not created yet, or were joined. */
#pragma once
#include "system/system.h"

typedef struct Parallel {
    bool ***absent; /* by thread, location and other thread: the other is not created yet, or was joined */
    bool **reached; /* by thread and location: a path of transitions leads there */
} Parallel;

Parallel parallel_find(const System *);
void parallel_free(Parallel *);
/* True if thread t is never at location l while thread u is at location k. */
static inline bool parallel_never(const Parallel *p, unsigned t, unsigned l, unsigned u, unsigned k) {
    return p->absent[t][l][u] || p->absent[u][k][t];
}
