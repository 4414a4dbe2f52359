/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads cannot run while another is at a location: those not created yet, and those joined. */
#pragma once
#include "system/system.h"

typedef struct Parallel {
    bool ***absent; /* by thread, location, other thread: it is not yet created, or was joined */
    bool **reached; /* by thread, location: some path of transitions leads there */
} Parallel;

Parallel parallel_find(const System *);
void parallel_free(Parallel *);
/* Thread t is never at l while u is at k. */
static inline bool parallel_never(const Parallel *p, unsigned t, unsigned l, unsigned u, unsigned k) {
    return p->absent[t][l][u] || p->absent[u][k][t];
}
