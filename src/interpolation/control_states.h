/* SPDX-License-Identifier: Apache-2.0 */
/* Unfolds the graph of control states on demand.

   A control state has a location for each thread, and the constant of each tracked variable: flags, turns, mutexes, statuses. A variable is
   tracked if it takes few constants. The edges are block steps. Edges that the constants exclude are missing, so engines that search this
   graph only have to prove facts about the other variables. */
#pragma once
#include "interpolation/block_steps.h"

typedef struct ControlState {
    const unsigned *locations; /* by thread */
    const Expr *const *values; /* by variable: a constant (after control_states_track_all, also an array), or NULL if it is unknown */
} ControlState;

/* A step from a control state: a block step in which the constants of the control state are put in */
typedef struct ControlStep {
    unsigned block_step;
    unsigned target;       /* a control state; NONE if the block step ends at an ERROR or STOP location */
    const Expr *guard;     /* never false */
    const Update *updates; /* a vec: relevant variables that have no constant at the target */
} ControlStep;

typedef struct ControlStates ControlStates;
ControlStates *control_states_new(const System *, const Blocks *, const BlockSteps *);
void control_states_free(ControlStates *);
/* Tracks also variables that take few constants in reachable control states (small counters). For this, control states are unfolded, up to
   `most`. At most one of this function and the next two may be called, before any control state is used. */
void control_states_track_small(ControlStates *, size_t most);
/* Tracks only the statuses of threads, for comparison. */
void control_states_track_status(ControlStates *);
/* Tracks every variable wherever it has one value, and tries each value of an input with few values. Then control states are states, if no
   other values occur. */
void control_states_track_all(ControlStates *);
size_t control_states_count(const ControlStates *); /* returns the number found so far; the initial one is 0 */
const ControlState *control_states_get(const ControlStates *, unsigned state);
/* Returns the steps from a control state, as a vec that lives until control_states_free. The order is by threads, then by block steps.
   A block step can have several steps, with disjoint guards. If a thread is in the middle of a block (a stop that is not Out), only this
   thread has steps. */
const ControlStep *control_states_next(ControlStates *, unsigned state);
/* Returns the constants of the control state, as a formula. */
const Expr *control_states_constants(const ControlStates *, unsigned state);
/* Returns the initial state, as a formula over the variables without constant in control state 0. */
const Expr *control_states_initially(const ControlStates *);
/* Returns a formula about two block steps of different threads that start at the locations of the control state. Its validity under the
   facts of the control state means that the order of the two can be exchanged (block_steps.h). False if blocks do not let both orders run. */
const Expr *control_states_swap(ControlStates *, unsigned state, unsigned first, unsigned second);
/* True if the control state need not be explored, since its sleep set covers all errors (sleep sets: Godefroid 1996). `sleep` has a bit for
   each block step.

   That is, no error is reachable from here before a sleeping block step, and the sleeping block step could as well come first. For some
   threads, all possible steps are asleep. The steps that the other threads can still take are disjoint from these, and reach no error. */
bool control_states_is_covered_by_sleep(ControlStates *, unsigned state, const uint64_t *sleep);
