/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a counterexample into the waypoints of a witness, by which a validator finds the execution again. Waypoints are starts of threads, inputs,
   the thread that runs after a switch, and the violation. */
#pragma once
#include "output/source.h"
#include "explain/counterexample.h"

typedef enum WaypointKind {
    WAYPOINT_CREATE, /* a thread is started */
    WAYPOINT_INPUT,  /* a function returns `constraint` */
    WAYPOINT_ASSUME, /* the thread is before this statement, and `constraint` holds */
    WAYPOINT_TARGET  /* the violation; a race has two */
} WaypointKind;

typedef struct Waypoint {
    WaypointKind kind;
    unsigned thread; /* 0 is main; other threads have numbers in the order of their starts */
    Position position;
    const char *function; /* may be NULL */
    char *constraint;     /* malloced; may be NULL */
} Waypoint;

/* Returns a vec, to be freed by waypoints_free. `race`: the counterexample ends with a data race. */
Waypoint *waypoints_of(const Program *, const Counterexample *, Sources *, bool race);
void waypoints_free(Waypoint *);
