/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the waypoints that a step passes. */
#pragma once
#include "ir/live.h"
#include "ir/step.h"
#include "witness/witness.h"

/* The progress of an execution along the waypoints of a witness. */
typedef struct Passed {
    unsigned ways;   /* number of passed waypoints */
    unsigned *ids;   /* a vec: the thread number for the witness's thread k */
    uint64_t *marks; /* a vec: MARKS marks of lines for each thread number */
} Passed;

/* The marks of a thread. */
enum {
    MARK_LINE,   /* its last line */
    MARK_SEEN,   /* its last line with an observable action */
    MARK_PASSED, /* the line whose statement passed a waypoint */
    MARK_HEAD,   /* the number of the branch whose condition the thread is in */
    MARKS
};

typedef struct Points {
    const Program *program;
    Machine *machine;
    const Witness *witness;
    bool *lines;      /* a vec, by line: the witness mentions it */
    Spot *statements; /* a vec: the statements of assumptions that have a column */
    Liveness **live;  /* a vec, by template; NULL: not computed yet */
    bool unsure;      /* some constraint could not be evaluated with certainty */
} Points;

Points points_new(const Program *, Machine *, const Witness *);
void points_free(Points *);

Passed passed_copy(const Passed *);
void passed_free(Passed *);

bool spot_is(const Spot *, Position);    /* returns whether the position is at the spot */
bool spot_calls(const Spot *, Position); /* … or in a function that is called from there */
bool way_is_of(const Passed *, const ClaimedWaypoint *, unsigned thread);

/* Adds the waypoints that a step from `before` to `after` passes to p. A fault ends the step at its point `last`: 0 is the guard, and i
   is the instruction i - 1. ALL_POINTS: the step has no fault. */
enum { ALL_POINTS = ~0u };
void points_pass(Points *, Passed *p, const State *before, const State *after, unsigned thread, const Action *, const Accesses *,
                 size_t last);
/* Adds the waypoints at which a thread stands in the state. */
void points_stand(Points *, Passed *p, const State *);
/* Returns whether the thread is at the line, which the witness must mention. */
bool points_is_at(const Passed *, unsigned thread, unsigned line);
/* Finds the value that the witness demands for the n-th input of a step at this position. Returns false if it demands none. */
bool points_wanted(const Points *, const Passed *, unsigned thread, Position, unsigned n, i128 *value);
/* Returns whether the program has code or an object at the spot. */
bool points_exist(const Program *, const Spot *);
/* Returns whether some variable or object has the name. */
bool points_named(const Program *, const char *name);
