/* SPDX-License-Identifier: Apache-2.0 */
/* Endless executions: a way to a state, and from there to the same state again. */
#pragma once
#include "engine/explicit/explicit.h"
#include "engine/explicit/store.h"

typedef enum LassoEnd {
    LASSO_NONE,  /* every state was visited, and none comes again on the way from it */
    LASSO_FOUND, /* the trace is in the context */
    LASSO_LIMIT  /* of time or memory */
} LassoEnd;

/* until: seconds since the engine's start. reduce false: every step of every thread is tried everywhere. */
LassoEnd lasso_search(Context *, bool reduce, double until, uint64_t *states);

/* ---- inside ---- */

/* A state, for Tarjan's algorithm. */
typedef struct LassoMember {
    uint32_t handle;
    unsigned low;
    bool open;
} LassoMember;

/* A choice inside a step. */
typedef struct Pick {
    uint64_t value, count;
} Pick;

typedef struct LassoFrame {
    uint32_t handle;
    Threads todo;    /* threads that were not tried yet */
    Threads others;  /* to be tried if none of these can move */
    unsigned thread; /* being tried; 0: none */
    bool moved;      /* some thread of the set could, and nothing is wrong with what follows */
    size_t out;      /* the action being tried */
    Pick *picks;     /* a vec: its choices; with some it is to be tried again */
    TraceStep step;  /* the step that was taken last */
} LassoFrame;

typedef struct Lasso {
    Context *context;
    bool reduce;
    bool fair; /* only executions in which a thread that can move all the time does (lasso_fair.c) */
    uint64_t memory, ticks;
    double until;
    Store *store;
    State *state;
    LassoFrame *frames; /* a vec */
    Pick **picks;       /* of the step being tried */
    size_t cursor;
    u128 *chosen;
    uint32_t *tuple;
    Pick *start; /* choices of the initial state */
    u128 *initial;
    unsigned ways;        /* back to a state that were looked at, if it is fair */
    LassoMember *members; /* if it is fair: a vec, of all states met … */
    Map *numbers;         /* … and their places in it, by handle, + 1 */
    unsigned *open;       /* a vec: those whose component is not complete */
} Lasso;

/* The state in hand is the frame's. The next step from it, which is taken; NULL: there is none. */
const Action *lasso_next_step(Lasso *, LassoFrame *);
void lasso_restore(Lasso *, uint32_t handle); /* the state in hand is that one */
bool lasso_go(Context *, State *, const Trace *, size_t from, size_t to);
Trace *lasso_way(const Lasso *, size_t frames); /* the first of their steps */
bool lasso_found(Lasso *, Trace *);             /* taken over; true: it is an endless execution of the program */

/* ---- lasso_fair.c ---- */
void lasso_met(Lasso *, uint32_t handle, bool fresh); /* by the last frame, or, if it is fresh, the one before */
bool lasso_leave(Lasso *);                     /* the last frame is done; true: its component is a fair loop, which is in the context */
bool fairness_holds(Context *, const Trace *); /* of a lasso */
void lasso_forget(Lasso *);
