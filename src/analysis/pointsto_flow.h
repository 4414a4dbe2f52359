/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the values that numbers of some kind flow to: wild numbers, and numbers of threads. Only pointsto.c uses this part of the analysis,
   once the targets are known. */
#pragma once
#include "analysis/pointsto.h"

/* Limits the contents of an object, and the bytes of an access. */
enum { MOST_CONTENTS = 32, MOST_BYTES = 16 };

static inline uint64_t bytes_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : MOST_BYTES; }

typedef struct Flow Flow;
/* Computes a flow from the targets of the analysis, which must outlive the flow. */
Flow *flow_of_wild(PointsTo *, const Program *);
Flow *flow_of_threads(PointsTo *, const Program *);
void flow_free(Flow *);
/* True if the value of an expression may be a number of the flow's kind. */
bool flow_carries(Flow *, const Expr *);
