/* SPDX-License-Identifier: Apache-2.0 */
/* Computes intervals: bounds of variables of a system of integers, for each thread at its locations, and bounds of elements of queues.

   For the variables that a thread owns (exclusive_writers.h), a data flow computes intervals, and the conditions that all ways to a
   location passed. A *queue* is an array a with two variables f and b. Each element from f on and below b was checked before b passed it:
   `assume(a[b] == 1); b++` in one place, `if (f < b) … a[f]` in another. The results are guesses that the caller must prove. */
#pragma once
#include "analysis/exclusive_writers.h"

typedef struct Span {
    i128 lo, hi; /* lo > hi for the empty set; an end beyond ±SPAN_END is no bound */
} Span;
#define SPAN_END ((i128)1 << 100)
static inline bool span_has_lo(Span s) { return s.lo > -SPAN_END; }
static inline bool span_has_hi(Span s) { return s.hi < SPAN_END; }

typedef struct Queue {
    unsigned array, front, back; /* indices of variables */
    Span span;                   /* bounds of the elements */
    bool open;                   /* nothing is known about the elements */
} Queue;

typedef struct Intervals Intervals;
/* Analyses a system of integers. Returns NULL if it is too large, or not a system of integers. The system must outlive the result. */
Intervals *intervals_new(const System *);
void intervals_free(Intervals *);
const ExclusiveWriters *intervals_writers(const Intervals *);
const Queue *intervals_queues(const Intervals *); /* a vec */
/* Gives up a queue and computes everything anew. queue: an index in intervals_queues. */
void intervals_drop(Intervals *, size_t queue);
/* Returns the span of an expression where the transition is taken. */
Span intervals_of(const Intervals *, unsigned thread, const Transition *, const Expr *);
/* Returns the span of a variable that the thread owns when the thread begins. */
Span intervals_at_entry(const Intervals *, unsigned thread, unsigned variable);
/* Returns the claim about the variables that the thread owns at a location; false for a location that the thread does not reach. The claim
   about the entry also holds before the creation of the thread. */
const Expr *intervals_fact(const Intervals *, unsigned thread, unsigned location);
/* Returns the claim about the element of the queue at an index. */
const Expr *intervals_element(const Intervals *, const Queue *, const Expr *index);
/* Returns the claims about the elements at the fronts of all queues. */
const Expr *intervals_fronts(const Intervals *);
