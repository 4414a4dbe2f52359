/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for an endless execution, in the form of a lasso: a stem leads to a state, and a loop leads from this state back to it. */
#pragma once
#include "engine/explicit/explicit.h"
#include "engine/explicit/store.h"

typedef enum LassoEnd {
    LASSO_NONE,  /* every state was visited, and no loop is an endless execution */
    LASSO_FOUND, /* the trace is in the context */
    LASSO_LIMIT  /* the limit of time or memory was met */
} LassoEnd;

/* Searches until that time, in seconds since the engine's start. Without `reduce`, every step of every thread is tried at every state. *states is
   the number of visited states. */
LassoEnd lasso_search(Context *, bool reduce, double until, uint64_t *states);

/* ---- inside ---- */

/* A state, for Tarjan's algorithm: its low link, and whether its component is still incomplete. */
typedef struct LassoMember {
    uint32_t handle;
    unsigned low;
    bool open;
} LassoMember;

/* A choice inside a step: which of `count` candidates is tried. */
typedef struct Pick {
    uint64_t value, count;
} Pick;

typedef struct LassoFrame {
    uint32_t handle;
    Threads todo;    /* threads of the persistent set that were not tried yet */
    Threads others;  /* all other threads; they are tried if no thread of the set can move */
    unsigned thread; /* the thread that is tried; 0: the next one must be chosen */
    bool moved;      /* some thread of the set could move, and its step did not end in an atomic section */
    size_t out;      /* the action that is tried, as an index into Site.out */
    Pick *picks;     /* a vec: the action's next choices; if it is not empty, the action is tried again with them */
    TraceStep step;  /* the step that was taken last */
} LassoFrame;

typedef struct Lasso {
    Context *context;
    bool reduce;
    bool fair; /* only weakly fair executions count (lasso_fair.c) */
    uint64_t memory, ticks;
    double until;
    Store *store;
    State *state;
    LassoFrame *frames; /* a vec */
    Pick **picks;       /* those of the step that is tried, or `start` … */
    size_t cursor;      /* … the next one … */
    u128 *chosen;       /* … and the values chosen so far */
    uint32_t *tuple;
    Pick *start; /* choices of the initial state */
    u128 *initial;
    unsigned ways;        /* if fair: number of loops whose fairness was checked separately */
    LassoMember *members; /* if fair: a vec of all states met … */
    Map *numbers;         /* … with their indices in it, by handle, + 1 */
    unsigned *open;       /* a vec: indices of the members whose component is incomplete, in the order in which they were met */
} Lasso;

/* Takes the next step from the frame's state, which must be l->state. Returns its action, or NULL if all steps were tried. */
const Action *lasso_next_step(Lasso *, LassoFrame *);
/* Makes the stored state l->state. */
void lasso_restore(Lasso *, uint32_t handle);
/* Takes the steps [from, to) of the trace from the state. Returns false if one of them cannot be taken. */
bool lasso_replay(Context *, State *, const Trace *, size_t from, size_t to);
/* Returns a trace of the last steps of the first `frames` frames. */
Trace *lasso_stem(const Lasso *, size_t frames);
/* Takes over a lasso and shortens it. Returns true if it is an endless execution of the program; it is then the context's violation. */
bool lasso_found(Lasso *, Trace *);

/* ---- lasso_fair.c ---- */
/* Records a step to this state for Tarjan's algorithm. The last frame took the step, or, if the state is fresh, the frame before it. */
void lasso_visit(Lasso *, uint32_t handle, bool fresh);
/* Completes the last frame. Returns true if this completes a component that has a fair loop; the context then has its trace. */
bool lasso_leave(Lasso *);
/* Returns true if the lasso is weakly fair: every thread takes a step in the loop, or cannot move in one of its states. */
bool fairness_holds(Context *, const Trace *);
/* Frees the members of l that this file uses. */
void lasso_free_members(Lasso *);
