/* SPDX-License-Identifier: Apache-2.0 */
/* Where all threads are, and what is plain there: a graph, unfolded on demand, whose nodes are vectors (a location
   for each thread, and the value of each variable that takes few constants: flags, turns, mutexes, who runs) and
   whose edges are letters. What the constants exclude is not in it, so engines that search over vectors have to
   prove only what has many values. */
#pragma once
#include "interpolation/block_steps.h"

typedef struct ControlState {
    const unsigned *locations; /* by thread */
    const Expr *const *values; /* by variable: a constant (control_states_all: of arrays too), or NULL: not known here */
} ControlState;

/* One way on from a vector: a letter, with the vector's constants put in. */
typedef struct ControlStep {
    unsigned letter;
    unsigned target;       /* a vector; NONE: the letter is bad, it ends at an ERROR or a STOP */
    const Expr *guard;     /* never false */
    const Update *updates; /* a vec: of variables that matter and are not plain at the target */
} ControlStep;

typedef struct ControlStates ControlStates;
ControlStates *control_states_new(const System *, const Blocks *, const BlockSteps *);
void control_states_free(ControlStates *);
/* To be called before anything is asked. Plain are also variables that turn out to take few constants where they are
   reached (small counters); vectors are unfolded to find out, up to so many. */
void control_states_widen(ControlStates *, size_t most);
/* … Plain is only who runs: for comparison. */
void control_states_only_status(ControlStates *);
/* … Plain is every variable where it has one value, and inputs with few values are tried one by one: vectors are
   states, if there are no others. */
void control_states_all(ControlStates *);
size_t control_states_count(const ControlStates *); /* met so far; vector 0 is the initial one */
const ControlState *control_states_get(const ControlStates *, unsigned vector);
/* A vec, good until control_states_free. By thread, then in the order of letters; a letter can have several steps, whose
   guards exclude each other. Where a thread is in the middle of a block (a stop that is not Out), only its own. */
const ControlStep *control_states_next(ControlStates *, unsigned vector);
/* What is plain at the vector, as a formula. */
const Expr *control_states_known(const ControlStates *, unsigned vector);
/* The initial state as a formula over the variables that are not plain in vector 0. */
const Expr *control_states_initially(const ControlStates *);
/* Of two letters of different threads that start at the vector's locations: valid, with what holds at the vector,
   iff first, then second can be exchanged for second, then first (interpolation/block_steps.h). False where blocks do not
   let both run. */
const Expr *control_states_swap(ControlStates *, unsigned vector, unsigned first, unsigned second);
/* No error can be reached from here without one of the slept letters (a bit for each letter) being done first, and
   they could be done at once as well: all that a thread can do is asleep (or excluded by what is plain), what the
   others can still do does not touch it, and they get to no error without it. Then there is nothing to explore. */
bool control_states_dead(ControlStates *, unsigned vector, const uint64_t *sleep);
