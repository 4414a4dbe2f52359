/* SPDX-License-Identifier: Apache-2.0 */
/* Computes, for control states (interpolation/control_states.h) and sets of assertions, which block steps are possible, which assertions hold after
   them, and which block steps commute. A `vector` is a control state, a `letter` is a block step, and a `mask` is a set of assertions, each by
   number. */
#pragma once
#include "interpolation/abstract_post.h"
#include "interpolation/set_pool.h"
#include "interpolation/control_states.h"

/* The conditions under which letters count as commuting. */
typedef struct Commutation {
    bool none;       /* no letters commute */
    bool semi;       /* one direction suffices: ab may be replaced by ba, but perhaps not ba by ab */
    bool contextual; /* it suffices that they commute where the assertions of a mask hold */
} Commutation;

/* A letter has a group at a vector if the vector's constants do not exclude it. */
typedef struct Group {
    unsigned letter, thread;
    unsigned first, count; /* its steps, as indices of control_states_next */
} Group;

/* A vector with its steps. Invariant: the steps of each group are consecutive, and the groups cover all steps. */
typedef struct Place {
    const ControlStep *steps; /* a vec */
    Group *groups;            /* a vec, by thread */
    uint64_t threads;         /* bits of the threads that have a group */
    uint64_t *letters;        /* the set of the groups' letters */
    unsigned *hoare;          /* a vec: the step of the proof for each step … */
    unsigned tracked;         /* … valid while post_tracked returns this number */
    unsigned *swaps;          /* by two groups: a step of the proof that is excluded where they commute, or a constant of space.c */
} Place;

/* The assertions of one strategy. */
typedef struct Part {
    PredicateSet assertions;
    Map *after; /* (step of the proof, mask) → mask; emptied when an assertion is added */
} Part;

void part_begin(Part *);
void part_end(Part *);
/* Adds an assertion. Returns false if the part has it already. */
bool part_add(Part *, unsigned assertion);

typedef struct Space {
    const System *system;
    const BlockSteps *letters;
    ControlStates *vectors;
    AbstractPost *hoare;
    Commutation commutation;
    Place **places;  /* a vec, by vector; NULL: not met yet */
    SetPool *sleeps; /* sets of letters */
    Map *dead;       /* (vector, sleep set) → bool */
    Part *part;      /* the part at work: of the strategy that has its turn */
    Stats *stats;
} Space;

Space *space_new(const System *, const BlockSteps *, ControlStates *, AbstractPost *, Commutation, Stats *);
void space_free(Space *);
/* Returns the vector with its steps. */
Place *space_place(Space *, unsigned vector);
/* Returns the step of the proof for a step of the vector. */
unsigned space_step(Space *, unsigned vector, unsigned step);
/* Returns the mask of the assertions of the part at work that hold after a step of the proof; NEVER: the step is impossible. */
unsigned space_follow(Space *, unsigned step, unsigned mask);
/* Returns the same for a step of the vector. */
unsigned space_after(Space *, unsigned vector, unsigned step, unsigned mask);
/* Returns true if "first, then second" can be replaced by "second, then first" (groups of the vector) where the mask's assertions hold. */
bool space_commute(Space *, unsigned vector, unsigned first, unsigned second, unsigned mask);
/* Returns the formula under which the two letters can be exchanged at the vector. */
const Expr *space_swap(Space *, unsigned vector, unsigned first_letter, unsigned second_letter);
/* Returns the assertions of the mask that space_commute has needed to answer true. */
PredicateSet space_needs(Space *, unsigned vector, unsigned first, unsigned second, unsigned mask);
/* Returns control_states_dead for the vector and the sleep set, from a table if it was asked before. */
bool space_dead(Space *, unsigned vector, unsigned sleep);
