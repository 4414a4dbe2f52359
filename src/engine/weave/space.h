/* SPDX-License-Identifier: Apache-2.0 */
/* Computes, for control states (interpolation/control_states.h) and sets of assertions, which block steps are possible, which assertions hold after
   them, and which block steps commute. A `control_state`, a `block_step` and a `mask` are numbers: of a control
   state, a block step and a set of assertions. */
#pragma once
#include "interpolation/abstract_post.h"
#include "interpolation/set_pool.h"
#include "interpolation/control_states.h"

/* The conditions under which block steps count as commuting. */
typedef struct Commutation {
    bool none;       /* no block steps commute */
    bool semi;       /* one direction suffices: ab may be replaced by ba, but perhaps not ba by ab */
    bool contextual; /* it suffices that they commute where the assertions of a mask hold */
} Commutation;

/* A block step has a group at a control state if the control state's constants do not exclude it. */
typedef struct Group {
    unsigned block_step, thread;
    unsigned first, count; /* its steps, as indices of control_states_next */
} Group;

/* A control state with its steps. Invariant: the steps of each group are consecutive, and the groups cover all steps. */
typedef struct ControlStateSteps {
    const ControlStep *steps; /* a vec */
    Group *groups;            /* a vec, by thread */
    uint64_t threads;         /* bits of the threads that have a group */
    uint64_t *block_steps;    /* the set of the groups' block steps */
    unsigned *proof_steps;    /* a vec: the step of the proof for each step … */
    unsigned tracked;         /* … valid while post_tracked returns this number */
    unsigned *swaps;          /* by two groups: a step of the proof that is excluded where they commute, or a constant of space.c */
} ControlStateSteps;

/* The assertions of one strategy. */
typedef struct StrategyAssertions {
    PredicateSet assertions;
    Map *after; /* (step of the proof, mask) → mask; emptied when an assertion is added */
} StrategyAssertions;

void strategy_assertions_begin(StrategyAssertions *);
void strategy_assertions_end(StrategyAssertions *);
/* Adds an assertion. Returns false if the part has it already. */
bool strategy_assertions_add(StrategyAssertions *, unsigned assertion);

typedef struct Space {
    const System *system;
    const BlockSteps *block_steps;
    ControlStates *control_states;
    AbstractPost *post;
    Commutation commutation;
    ControlStateSteps **places; /* a vec, by control state; NULL: not met yet */
    SetPool *sleeps;            /* sets of block steps */
    Map *dead;                  /* (control state, sleep set) → bool */
    StrategyAssertions *part;   /* the part at work: of the strategy that has its turn */
    Stats *stats;
} Space;

Space *space_new(const System *, const BlockSteps *, ControlStates *, AbstractPost *, Commutation, Stats *);
void space_free(Space *);
/* Returns the control state with its steps. */
ControlStateSteps *space_place(Space *, unsigned control_state);
/* Returns the step of the proof for a step of the control state. */
unsigned space_step(Space *, unsigned control_state, unsigned step);
/* Returns the mask of the assertions of the part at work that hold after a step of the proof; NEVER: the step is impossible. */
unsigned space_follow(Space *, unsigned step, unsigned mask);
/* Returns the same for a step of the control state. */
unsigned space_after(Space *, unsigned control_state, unsigned step, unsigned mask);
/* Returns true if "first, then second" can be replaced by "second, then first" (groups of the control state) where the mask's assertions hold. */
bool space_commute(Space *, unsigned control_state, unsigned first, unsigned second, unsigned mask);
/* Returns the formula under which the two block steps can be exchanged at the control state. */
const Expr *space_swap(Space *, unsigned control_state, unsigned first_block_step, unsigned second_block_step);
/* Returns the assertions of the mask that space_commute has needed to answer true. */
PredicateSet space_needs(Space *, unsigned control_state, unsigned first, unsigned second, unsigned mask);
/* Returns control_states_is_covered_by_sleep for the control state and the sleep set, from a table if it was asked before. */
bool space_dead(Space *, unsigned control_state, unsigned sleep);
