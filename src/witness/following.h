/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what follow.c and ahead.c share: the nodes of the search, and the search itself. */
#pragma once
#include "base/map.h"
#include "engine/explicit/inputs.h"
#include "result/trace.h"
#include "witness/points.h"

/* WORTH: the number of steps of other threads that a passed waypoint outweighs. If no successor passes the next waypoint, the search
   therefore returns to earlier choices. */
enum { WORTH = 3, NO_PARENT = ~0u, MOST_CHOICES = 400, MOST_BYTES = 1 << 30, SMALL = 2048 /* bytes */ };

typedef struct Node {
    unsigned parent;
    TraceStep step;
    Buf state; /* encoded; empty after the last expansion, and in a large node that is put off */
    Passed passed;
    unsigned strays; /* steps of other threads since the last waypoint */
    bool ran;        /* the step passed at most a start of a thread, so values before it are irrelevant */
    enum { TURN_OF_NEXT, TURN_OF_NAMED, TURN_OF_REST } turn; /* the threads that step next: see turn_of */
} Node;

typedef struct Pick {
    u128 value;
    uint64_t at, count; /* index of the value among `count` candidates */
} Pick;

typedef struct Follow {
    const Program *program;
    const Question *question;
    const Witness *witness;
    Machine *machine;
    Inputs *inputs;
    Points points;
    unsigned targets; /* number of target waypoints, which come last */
    Node *nodes;      /* a vec */
    unsigned *open;   /* a vec: a heap of nodes, the best one first */
    unsigned *named;  /* a vec: threads, by the witness's numbers, that waypoints other than starts name */
    Map *seen;
    Map *taken; /* template and location → 1 + the last action taken there */
    size_t bytes;
    u128 *initial;              /* the choices of the current initial state */
    bool sampled, cut, stopped; /* not all choices were tried; out of time or memory; a STOP was reached */
    unsigned loops;             /* number of searches for a loop */
    unsigned races;             /* number of searches for a race with an earlier access */
    unsigned most;              /* the highest number of passed waypoints */
    Trace *found;
    /* the step that is being tried */
    const Passed *passed;
    unsigned thread, asked;
    Pick *picks;
    size_t cursor;
    u128 *chosen;
} Follow;

Chooser follow_begin_choices(Follow *);
/* Puts the node off, so that steps of other threads come later. */
void follow_put_off(Follow *, unsigned node);
/* Makes the node's state by taking the steps that lead to it. */
void follow_make_state(Follow *, unsigned node, State *);
void follow_note_taken(Follow *, const State *, unsigned action, unsigned location);
/* Runs starts of threads ahead in the state of a large node. It continues while the next waypoints are starts, and the starting thread
   has only one possible step. Returns the node where this ends, and leaves its state in *s. */
unsigned follow_run_ahead(Follow *, unsigned node, State *);
