/* SPDX-License-Identifier: Apache-2.0 */
/* Between which numbers variables of a system lie, for each thread at its locations, and what lies in queues.

   Of a thread's own variables (owners.h), intervals are computed by data flow, and conditions that were passed on all ways. A *queue* is an array a with two variables f and b, of whose elements from f on, below b, it is known that each was looked at
   before b passed it: `assume(a[b] == 1); b++` here, `if (f < b) … a[f]` there. */
#pragma once
#include "analysis/exclusive_writers.h"

typedef struct Span {
    i128 lo, hi; /* lo > hi: nothing; beyond ±SPAN_END: no bound */
} Span;
#define SPAN_END ((i128)1 << 100)
static inline bool span_has_lo(Span s) { return s.lo > -SPAN_END; }
static inline bool span_has_hi(Span s) { return s.hi < SPAN_END; }

typedef struct Queue {
    unsigned array, front, back; /* variables */
    Span span;                   /* of its elements */
    bool open;                   /* nothing is known of them */
} Queue;

typedef struct Spans Spans;
/* Systems of integers alone. NULL: it is too large. */
Spans *spans_new(const System *);
void spans_free(Spans *);
const ExclusiveWriters *spans_owners(const Spans *);
const Queue *spans_queues(const Spans *); /* a vec */
/* Say nothing of the queue, and compute all anew. */
void spans_drop(Spans *, size_t queue);
/* Where the expression lies when the transition is taken. */
Span spans_of(const Spans *, unsigned thread, const Transition *, const Expr *);
/* Where the thread's own variable lies when it begins. */
Span spans_at_entry(const Spans *, unsigned thread, unsigned variable);
/* What is claimed of the thread's own variables at a location: false if it does not get there. Of its entry, from the start on. */
const Expr *spans_fact(const Spans *, unsigned thread, unsigned location);
/* What is claimed of the queue's element at an index. */
const Expr *spans_element(const Spans *, const Queue *, const Expr *index);
/* … at all their fronts. */
const Expr *spans_fronts(const Spans *);
