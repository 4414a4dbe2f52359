/* SPDX-License-Identifier: Apache-2.0 */
/* What the files share that follow a witness: states that were reached, with how far they have come. Private to follow.c and ahead.c. */
#pragma once
#include "base/map.h"
#include "engine/explicit/inputs.h"
#include "result/trace.h"
#include "witness/points.h"

/* A waypoint is worth so many steps by others: where none of the next ways leads on, earlier choices are looked at again. */
enum { WORTH = 3, NO_PARENT = ~0u, MOST_CHOICES = 400, MOST_BYTES = 1 << 30, SMALL = 2048 /* bytes */ };

typedef struct Node {
    unsigned parent;
    TraceStep step;
    Buf state; /* encoded; empty once its successors are there, or while it waits, if it is large */
    Passed passed;
    unsigned strays; /* steps by others since the last waypoint */
    bool ran;        /* the step passed no more than the start of a thread: what variables held before does not matter */
    enum { TURN_OF_NEXT, TURN_OF_NAMED, TURN_OF_REST } turn; /* whose steps are to be taken: see turn_of */
} Node;

typedef struct Pick {
    u128 value;
    uint64_t at, count;
} Pick;

typedef struct Follow {
    const Program *program;
    const Question *question;
    const Witness *witness;
    Machine *machine;
    Inputs *inputs;
    Points points;
    unsigned targets; /* the last so many ways */
    Node *nodes;      /* a vec */
    unsigned *open;   /* a vec: a heap, the best first */
    unsigned *named;  /* a vec: threads, by the witness's numbers, that it says more of than that they start */
    Map *seen;
    Map *taken; /* template and location → 1 + the action that was taken there last */
    size_t bytes;
    u128 *initial; /* of the start that is in hand */
    bool sampled, cut, stopped;
    unsigned loops; /* that were looked for */
    unsigned races; /* … likewise, of accesses that nothing orders */
    unsigned most;  /* ways that were passed */
    Trace *found;
    /* the step that is tried */
    const Passed *passed;
    unsigned thread, asked;
    Pick *picks;
    size_t cursor;
    u128 *chosen;
} Follow;

Chooser follow_begin_choices(Follow *);
/* Steps by others come later. */
void follow_put_off(Follow *, unsigned node);
/* The node's state, by the steps that lead there. */
void follow_make_anew(Follow *, unsigned node, State *);
void follow_note_taken(Follow *, const State *, unsigned action, unsigned location);
/* Of a large state: as long as starts of threads come next, and the thread that makes them has one way to go on, it goes on in this very state. The
   node where that ends; the state is its. */
unsigned follow_run_ahead(Follow *, unsigned node, State *);
