/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as what a validator needs to find it again: threads that start, inputs, who runs after a switch, and what is violated. */
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
    unsigned thread; /* from 0: main; others in the order in which they are started */
    Position position;
    const char *function; /* may be NULL */
    char *constraint;     /* malloced; NULL: none */
} Waypoint;

/* A vec, for waypoints_free. race: the counterexample ends with one. */
Waypoint *waypoints_of(const Program *, const Counterexample *, Sources *, bool race);
void waypoints_free(Waypoint *);
